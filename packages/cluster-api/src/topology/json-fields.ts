import {
  isFields,
  type JsonObject,
  type JsonValue,
  type MutableJson,
  type MutableJsonObject,
  setKey,
  valueAt,
} from '@slipway/kube';

/** The path of a field, key by key. */
export type FieldPath = readonly string[];

/** Returns the value at a path. Undefined if it or a parent is missing. */
export function fieldAt(object: JsonObject, path: FieldPath): JsonValue | undefined {
  return valueAt(object, ...path) as JsonValue | undefined;
}

/** Sets a value and creates missing parents. Parents that are not objects are replaced. */
export function setField(object: MutableJsonObject, path: FieldPath, value: MutableJson): void {
  const [last = ''] = path.slice(-1);
  let holder = object;
  for (const key of path.slice(0, -1)) {
    const next = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (typeof next === 'object' && next !== null && !Array.isArray(next)) holder = next;
    else {
      const made: MutableJsonObject = {};
      setKey<MutableJson | undefined>(holder, key, made);
      holder = made;
    }
  }
  setKey<MutableJson | undefined>(holder, last, value);
}

export function removeField(object: MutableJsonObject, path: FieldPath): void {
  const holder = fieldAt(object, path.slice(0, -1));
  const [last = ''] = path.slice(-1);
  if (typeof holder === 'object' && holder !== null && !Array.isArray(holder)) {
    delete (holder as MutableJsonObject)[last];
  }
}

/** Removes undefined members and empty objects, recursively: CRDs reject empty structs. */
export function compact<T extends object>(value: T): T {
  const kept = Object.entries(value)
    .map(([key, member]) => [key, isFields(member) ? compact(member) : (member as unknown)] as const)
    .filter(([, member]) => member !== undefined && !(isFields(member) && Object.keys(member).length === 0));
  return Object.fromEntries(kept) as T;
}
