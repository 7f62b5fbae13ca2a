import type { JsonValue, MutableJson, MutableJsonObject } from '../../json/index.js';
import { isJsonArray } from './json-kind.js';
import { setOwn } from './own-property.js';

/** A copy that shares nothing with the original. Used for schema defaults, whose depth definitions are checked for. */
export function deepCopy(value: JsonValue): MutableJson {
  if (typeof value !== 'object' || value === null) return value;
  if (isJsonArray(value)) return value.map(deepCopy);
  const copy: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item !== undefined) setOwn(copy, key, deepCopy(item));
  }
  return copy;
}
