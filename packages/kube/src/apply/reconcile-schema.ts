import { buildSortedNode, emptyFieldSet, type FieldSet, isEmptySet } from './field-set.js';
import type { FieldType, ListType, MapType } from './field-type.js';
import { type PathKey, selfKey } from './path-key.js';

const reconciled = new WeakMap<FieldSet, { readonly type: FieldType; readonly set: FieldSet }>();

/**
 * Adapts a set that was written with an older schema to the current schema: if a container has become atomic, an owner of parts
 * of it owns the whole container. The reverse change needs no adaptation.
 */
export function reconcileWithSchema(set: FieldSet, type: FieldType): FieldSet {
  const cached = reconciled.get(set);
  if (cached?.type === type) return cached.set;
  const result = type.map === undefined ? set : reconcileChildren(set, (key) => mapChildType(type.map as MapType, key));
  if (!isEmptySet(set)) reconciled.set(set, { type, set: result });
  return result;
}

function reconcileNode(node: FieldSet, type: FieldType): FieldSet {
  if (isEmptySet(node)) return node;
  if (type.map !== undefined) return reconcileMap(node, type.map);
  if (type.scalar !== undefined || type.list === undefined) return node;
  return reconcileList(node, type.list);
}

function reconcileMap(node: FieldSet, map: MapType): FieldSet {
  if (map.untyped) return node;
  return map.atomic ? emptyFieldSet : reconcileChildren(node, (key) => mapChildType(map, key));
}

function reconcileList(node: FieldSet, list: ListType): FieldSet {
  return list.keys === undefined ? emptyFieldSet : reconcileChildren(node, () => list.element);
}

function mapChildType(map: MapType, key: PathKey): FieldType | undefined {
  return key.startsWith('f:') ? (map.field(key.slice(2))?.type ?? map.element) : map.element;
}

function reconcileChildren(node: FieldSet, typeOf: (key: PathKey) => FieldType | undefined): FieldSet {
  let changed = false;
  const children: [PathKey, FieldSet][] = [];
  for (const key of Object.keys(node)) {
    const child = node[key] as FieldSet;
    const type = key === selfKey ? undefined : typeOf(key);
    const next = type === undefined ? child : reconcileNode(child, type);
    changed ||= next !== child;
    children.push([key, next]);
  }
  return changed ? (buildSortedNode(children, false) ?? emptyFieldSet) : node;
}
