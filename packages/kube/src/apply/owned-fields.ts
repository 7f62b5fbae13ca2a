import type { JsonObject, JsonValue } from '../json/index.js';
import { emptyFieldSet, type FieldSet } from './field-set.js';
import type { FieldType, ListType, MapType } from './field-type.js';
import { formOf, isList, isMap, memberOf } from './forms.js';
import { listItemKeys } from './list-items.js';
import type { PathKey } from './path-key.js';

/**
 * Returns the fields that an applied configuration owns: every leaf and every list item in it. Declared structs are not owned
 * themselves, but entries of maps are.
 */
export function ownedFields(value: JsonValue, type: FieldType): FieldSet {
  return ownedNode(value, type, false) ?? emptyFieldSet;
}

function ownedNode(value: JsonValue, type: FieldType, self: boolean): FieldSet | undefined {
  switch (formOf(type, value)) {
    case 'map':
      return ownedMap(value, type.map as MapType, self);
    case 'list':
      return ownedList(value, type.list as ListType, self);
    default:
      return emptyFieldSet;
  }
}

function ownedMap(value: JsonValue, map: MapType, self: boolean): FieldSet | undefined {
  if (map.atomic) return emptyFieldSet;
  const keys: PathKey[] = [];
  const nodes: FieldSet[] = [];
  if (isMap(value)) {
    for (const name of Object.keys(value)) {
      const child = value[name];
      if (child === undefined) continue;
      const member = memberOf(map, name);
      const node = ownedNode(child, member.type, claimsItself(map, name, child));
      if (node === undefined) continue;
      keys.push(member.key);
      nodes.push(node);
    }
  }
  return map.ownedMemo.build(keys, nodes, self);
}

function claimsItself(map: MapType, name: string, child: JsonValue): boolean {
  return child === null || isEmptyMap(child) || map.field(name) === undefined;
}

function isEmptyMap(value: JsonValue): boolean {
  return isMap(value) && Object.keys(value as JsonObject).length === 0;
}

function ownedList(value: JsonValue, list: ListType, self: boolean): FieldSet | undefined {
  if (list.keys === undefined) return emptyFieldSet;
  const children = new Map<PathKey, FieldSet>();
  if (isList(value)) {
    for (const [index, key] of listItemKeys(list, value).entries()) {
      // Items with the same key are indistinguishable, so only the key is tracked.
      const node = children.has(key) ? emptyFieldSet : ownedNode(value[index] as JsonValue, list.element, true);
      children.set(key, node ?? emptyFieldSet);
    }
  }
  return list.ownedMemo.build([...children.keys()], [...children.values()], self);
}
