import { canonicalJson, deepEqual, type MutableJson, type MutableJsonObject, type Schema, setKey } from '@slipway/kube';
import { isObject, member } from './json-object.js';

/**
 * Restores fields that the old version cannot represent. `saved` is the object before the conversion, `base` is `saved` after a
 * round trip through the old version, and `current` is the object sent by a client. Values that the client did not change are
 * restored from `saved`; changed values are kept.
 */
export function restore(
  schema: Schema | undefined,
  base: MutableJson | undefined,
  saved: MutableJson | undefined,
  current: MutableJson | undefined,
): MutableJson | undefined {
  if (deepEqual(base, current)) return saved;
  if (deepEqual(base, saved)) return current;
  if (isObject(saved) && isObject(current)) return restoreObject(schema, isObject(base) ? base : {}, saved, current);
  if (Array.isArray(base) && Array.isArray(saved) && Array.isArray(current)) {
    return restoreList(schema, base, saved, current);
  }
  return current;
}

function restoreObject(
  schema: Schema | undefined,
  base: MutableJsonObject,
  saved: MutableJsonObject,
  current: MutableJsonObject,
): MutableJsonObject {
  const result: MutableJsonObject = {};
  for (const key of new Set([...Object.keys(current), ...Object.keys(saved)])) {
    const value = restore(fieldSchema(schema, key), member(base, key), member(saved, key), member(current, key));
    if (value !== undefined) setKey(result, key, value);
  }
  return result;
}

function fieldSchema(schema: Schema | undefined, key: string): Schema | undefined {
  const { properties = {}, additionalProperties } = schema ?? {};
  if (Object.hasOwn(properties, key)) return properties[key];
  return typeof additionalProperties === 'object' ? additionalProperties : undefined;
}

function restoreList(
  schema: Schema | undefined,
  base: readonly MutableJson[],
  saved: readonly MutableJson[],
  current: readonly MutableJson[],
): MutableJson[] {
  const keys = schema?.['x-kubernetes-list-map-keys'];
  // A round trip may merge items, such as arguments of the same name. Items of such a list can no longer be matched.
  if (base.length !== saved.length) return [...current];
  const partnerOf = keys === undefined ? byPosition(base, current) : byKeys(base, keys);
  return current.map((item, index) => {
    const partner = partnerOf(item, index);
    return partner === undefined ? item : (restore(schema?.items, base[partner], saved[partner], item) ?? item);
  });
}

function byKeys(base: readonly MutableJson[], keys: readonly string[]) {
  const identity = (item: MutableJson): string =>
    canonicalJson(keys.map((key) => (isObject(item) ? (member(item, key) ?? null) : null)));
  const positions = new Map(base.map((item, index) => [identity(item), index]));
  return (item: MutableJson): number | undefined => positions.get(identity(item));
}

// Matches items by index. Without key fields an item can be identified only by its index, and only while the length is unchanged.
function byPosition(base: readonly MutableJson[], current: readonly MutableJson[]) {
  return (_item: MutableJson, index: number): number | undefined =>
    base.length === current.length ? index : undefined;
}
