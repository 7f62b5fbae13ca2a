import type { JsonObject, MutableJsonObject } from '../json/index.js';
import type { Frozen, KubeObject } from './object-meta.js';

/**
 * Objects travel under two types: `KubeObject` where metadata matters, plain JSON where only the schema does. They are the
 * same values; these two functions are the only places that say so.
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
