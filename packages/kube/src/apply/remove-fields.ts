import { type JsonObject, type JsonValue, setKey } from '../json/index.js';
import { belowNode, type FieldSet, hasMember, isEmptySet } from './field-set.js';
import type { FieldType, ListType, MapType } from './field-type.js';
import { formOf, isList, isMap, memberOf } from './forms.js';
import { listItemKeys } from './list-items.js';

/** What becomes of a container that loses its last member while a manager still owns the container itself. */
export type Emptied = 'null' | 'empty';

/** Returns the value without the fields and items of the set and everything below them. Shares unchanged subtrees. */
export function removeFields(value: JsonValue, fields: FieldSet, type: FieldType, emptied: Emptied): JsonValue {
  if (isEmptySet(fields)) return value;
  switch (formOf(type, value)) {
    case 'map':
      return isMap(value) ? removeFromMap(value, fields, type.map as MapType, emptied) : value;
    case 'list':
      return isList(value) ? removeFromList(value, fields, type.list as ListType, emptied) : value;
    default:
      return value;
  }
}

function removeFromMap(value: JsonObject, fields: FieldSet, map: MapType, emptied: Emptied): JsonValue {
  const kept: { [key: string]: JsonValue } = {};
  let count = 0;
  // Remove all fields of an atomic map: the manager that owned one of them owned the whole map.
  for (const name of map.atomic ? [] : Object.keys(value)) {
    const child = value[name];
    if (child === undefined) continue;
    const member = memberOf(map, name);
    const node = fields[member.key];
    if (node !== undefined && hasMember(fields, [member.key])) continue;
    setKey(kept, name, node === undefined ? child : removeFields(child, node, member.type, emptied));
    count += 1;
  }
  return count === 0 && emptied === 'null' ? null : kept;
}

function removeFromList(value: readonly JsonValue[], fields: FieldSet, list: ListType, emptied: Emptied): JsonValue {
  const kept: JsonValue[] = [];
  const keys = list.keys === undefined ? [] : listItemKeys(list, value);
  for (const [index, key] of keys.entries()) {
    const node = fields[key];
    if (node !== undefined && hasMember(fields, [key])) continue;
    const item = value[index] as JsonValue;
    kept.push(node === undefined ? item : removeFields(item, node, list.element, emptied));
  }
  return kept.length === 0 && emptied === 'null' ? null : kept;
}

/** Returns only the fields and items of the set: the part of an object that one manager owns. */
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
