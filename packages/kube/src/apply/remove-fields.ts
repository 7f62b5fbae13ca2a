import { type JsonObject, type JsonValue, setKey } from '../json/index.js';
import { belowNode, type FieldSet, hasMember, isEmptySet } from './field-set.js';
import type { FieldType, ListType, MapType } from './field-type.js';
import { formOf, isList, isMap, memberOf } from './forms.js';
import { listItemKeys } from './list-items.js';
import type { PathKey } from './path-key.js';

/** The value without the fields and items of the set, everything below them included. Shares what is not touched. */
export function removeFields(value: JsonValue, fields: FieldSet, type: FieldType): JsonValue {
  if (isEmptySet(fields)) return value;
  return remove(value, fields, type) ?? {};
}

/** Undefined when nothing is left: a declared container that was emptied goes as well. */
function remove(value: JsonValue, fields: FieldSet, type: FieldType): JsonValue | undefined {
  switch (formOf(type, value)) {
    case 'map':
      return isMap(value) ? removeFromMap(value, fields, type.map as MapType) : value;
    case 'list':
      return isList(value) ? removeFromList(value, fields, type.list as ListType) : value;
    default:
      return value;
  }
}

function removeFromMap(value: JsonObject, fields: FieldSet, map: MapType): JsonValue | undefined {
  // Whoever owned something below an atomic container owned it as a whole.
  if (map.atomic) return undefined;
  const kept: { [key: string]: JsonValue } = {};
  let count = 0;
  for (const name of Object.keys(value)) {
    const child = value[name];
    if (child === undefined) continue;
    const member = memberOf(map, name);
    const rest = removeChild(child, fields, member.key, member.type);
    if (rest === undefined) continue;
    setKey(kept, name, rest);
    count += 1;
  }
  // Without a schema every container was claimed by name, so that one which is left empty has another owner.
  return count === 0 && !map.untyped ? undefined : kept;
}

function removeFromList(value: readonly JsonValue[], fields: FieldSet, list: ListType): JsonValue | undefined {
  if (list.keys === undefined) return undefined;
  const kept: JsonValue[] = [];
  for (const [index, key] of listItemKeys(list, value).entries()) {
    const rest = removeChild(value[index] as JsonValue, fields, key, list.element);
    if (rest !== undefined) kept.push(rest);
  }
  return kept.length === 0 ? undefined : kept;
}

function removeChild(child: JsonValue, fields: FieldSet, key: PathKey, type: FieldType): JsonValue | undefined {
  if (hasMember(fields, [key])) return undefined;
  const below = fields[key];
  return below === undefined ? child : remove(child, below, type);
}

/** The value with nothing but the fields and items of the set: what one manager says of an object. */
export function extractFields(value: JsonValue, fields: FieldSet, type: FieldType): JsonValue {
  switch (formOf(type, value)) {
    case 'map':
      return isMap(value) ? extractFromMap(value, fields, type.map as MapType) : value;
    case 'list':
      return isList(value) ? extractFromList(value, fields, type.list as ListType) : value;
    default:
      return value;
  }
}

function extractFromMap(value: JsonObject, fields: FieldSet, map: MapType): JsonValue {
  if (map.atomic) return value;
  const kept: { [key: string]: JsonValue } = {};
  for (const name of Object.keys(value)) {
    const child = value[name];
    const member = memberOf(map, name);
    const node = fields[member.key];
    if (child === undefined || node === undefined) continue;
    setKey(kept, name, extractChild(child, node, member.type));
  }
  return kept;
}

function extractFromList(value: readonly JsonValue[], fields: FieldSet, list: ListType): JsonValue {
  if (list.keys === undefined) return value;
  return listItemKeys(list, value).flatMap((key, index) => {
    const node = fields[key];
    return node === undefined ? [] : [extractChild(value[index] as JsonValue, node, list.element)];
  });
}

function extractChild(child: JsonValue, node: FieldSet, type: FieldType): JsonValue {
  return extractFields(child, belowNode(node), type);
}
