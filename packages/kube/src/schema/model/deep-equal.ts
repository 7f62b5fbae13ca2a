import type { JsonObject, JsonValue } from '../../json/index.js';
import { isJsonArray, isJsonObject } from './json-kind.js';
import { getOwn } from './own-property.js';

/**
 * Semantic equality of two JSON values: key order does not count, 1 and 1.0 are the same. Keeps its own stack, because
 * foreign values may be nested deeper than the call stack reaches.
 */
export function deepEqual(left: JsonValue | undefined, right: JsonValue | undefined): boolean {
  const pending: (JsonValue | undefined)[] = [left, right];
  while (pending.length > 0) {
    const b = pending.pop();
    const a = pending.pop();
    if (a === b) continue;
    if (isJsonArray(a) && isJsonArray(b)) {
      if (a.length !== b.length) return false;
      for (let index = 0; index < a.length; index += 1) pending.push(a[index], b[index]);
    } else if (isJsonObject(a) && isJsonObject(b)) {
      if (!pushEntries(a, b, pending)) return false;
    } else if (!scalarsEqual(a, b)) {
      return false;
    }
  }
  return true;
}

function pushEntries(a: JsonObject, b: JsonObject, pending: (JsonValue | undefined)[]): boolean {
  let count = 0;
  for (const key of Object.keys(a)) {
    const value = a[key];
    if (value === undefined) continue;
    count += 1;
    const other = getOwn(b, key);
    if (other === undefined) return false;
    pending.push(value, other);
  }
  return count === definedKeys(b);
}

function definedKeys(object: JsonObject): number {
  let count = 0;
  for (const key of Object.keys(object)) if (object[key] !== undefined) count += 1;
  return count;
}

/** Numbers may be doubles or bigints; everything else must be identical. */
export function scalarsEqual(a: JsonValue | undefined, b: JsonValue | undefined): boolean {
  if (a === b) return true;
  const numeric = (typeof a === 'bigint' && typeof b === 'number') || (typeof a === 'number' && typeof b === 'bigint');
  // oxlint-disable-next-line eqeqeq -- loose equality is what compares a bigint with a double exactly
  return numeric && a == b;
}
