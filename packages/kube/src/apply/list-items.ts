import { type JsonObject, type JsonValue, getKey } from '../json/index.js';
import type { ListType } from './field-type.js';
import { quoteGoList } from '../text/go-format.js';
import { itemKey, type PathKey, valueKey } from './path-key.js';
import { TypedError } from './typed-error.js';

/** Returns the path key of an item of a set or map list. Throws TypedError if the item has none. */
function listItemKey(list: ListType, item: JsonValue, index: number): PathKey {
  const key = keyOrProblem(list, item);
  if (typeof key === 'string') return key;
  throw new TypedError([{ path: '', message: `element ${index}: ${key.problem}` }]);
}

export function keyOrProblem(list: ListType, item: JsonValue): PathKey | { readonly problem: string } {
  const keys = list.keys ?? [];
  return keys.length === 0 ? memberKey(item) : keyedItemKey(list, keys, item);
}

function keyedItemKey(
  list: ListType,
  keys: readonly string[],
  item: JsonValue,
): PathKey | { readonly problem: string } {
  if (item === null) return { problem: 'associative list with keys may not have a null element' };
  if (typeof item !== 'object' || Array.isArray(item))
    return { problem: 'associative list with keys may not have non-map elements' };
  const fields: [string, JsonValue][] = [];
  for (const name of keys) {
    const own = getKey(item as JsonObject, name);
    const value = own === undefined ? list.keyDefaults.get(name) : own;
    // Omit a key without value and default: such an item differs from every item that has the key.
    if (value !== undefined) fields.push([name, value]);
  }
  if (fields.length > 0) return itemKey(fields);
  const names = quoteGoList(keys);
  return {
    problem: `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`,
  };
}

function memberKey(item: JsonValue): PathKey | { readonly problem: string } {
  if (item === null) return { problem: "associative list without keys has an element that's an explicit null" };
  if (Array.isArray(item)) return { problem: 'not supported: associative list with lists as elements' };
  if (typeof item === 'object') return { problem: "associative list without keys has an element that's a map type" };
  return valueKey(item);
}

export function listItemKeys(list: ListType, items: readonly JsonValue[]): PathKey[] {
  return items.map((item, index) => listItemKey(list, item, index));
}
