import type { JsonObject, MutableJsonObject } from '../json/index.js';
import type { Frozen, KubeObject } from './object-meta.js';

/**
 * Objects have two types: `KubeObject` where metadata is used, plain JSON where only the schema is. The values are the
 * same; only these two functions convert between the types.
 */
export function asJson(object: KubeObject): MutableJsonObject;
export function asJson(object: Frozen<KubeObject>): JsonObject;
export function asJson(object: KubeObject | Frozen<KubeObject>): MutableJsonObject | JsonObject {
  return object as unknown as MutableJsonObject;
}

export function asObject(json: MutableJsonObject): KubeObject;
export function asObject(json: JsonObject): Frozen<KubeObject>;
export function asObject(json: JsonObject): KubeObject | Frozen<KubeObject> {
  return json as unknown as KubeObject;
}
