import { deepEqual, getKey, type JsonObject, type JsonValue } from '../json/index.js';
import { buildNode, emptyFieldSet, type FieldSet, recursiveDifference } from './field-set.js';
import type { FieldType, ListType, MapType } from './field-type.js';
import { type Form, formOf, isList, isMap, memberOf } from './forms.js';
import { listItemKeys } from './list-items.js';
import type { PathKey } from './path-key.js';

/** The fields that a write added, changed and removed. */
export interface Comparison {
  readonly added: FieldSet;
  readonly modified: FieldSet;
  readonly removed: FieldSet;
}

export function compareObjects(old: JsonValue, next: JsonValue, type: FieldType): Comparison {
  const change = compareValues(old, next, type);
  return {
    added: change?.added ?? emptyFieldSet,
    modified: change?.modified ?? emptyFieldSet,
    removed: change?.removed ?? emptyFieldSet,
  };
}

/**
 * Removes fields that the write cannot change from a comparison: status for the main resource, everything else for the status.
 */
export function excludeFields(comparison: Comparison, fields: FieldSet): Comparison {
  return {
    added: recursiveDifference(comparison.added, fields),
    modified: recursiveDifference(comparison.modified, fields),
    removed: recursiveDifference(comparison.removed, fields),
  };
}

interface Change {
  added: FieldSet | undefined;
  modified: FieldSet | undefined;
  removed: FieldSet | undefined;
}

const modifiedLeaf: Readonly<Change> = { added: undefined, modified: emptyFieldSet, removed: undefined };

/** Compares two values. Returns undefined if nothing differs, which is the common case and allocates nothing. */
function compareValues(old: JsonValue, next: JsonValue, type: FieldType): Change | undefined {
  if (old === next) return undefined;
  const oldForm = formOf(type, old);
  const nextForm = formOf(type, next);
  if (oldForm === nextForm) return compareAs(nextForm, old, next, type);
  // A deduced field changed its type: its old members are removed, its new ones are added, and the field is modified.
  return joinChanges(compareAs(oldForm, old, next, type), compareAs(nextForm, old, next, type));
}

function compareAs(form: Form, old: JsonValue, next: JsonValue, type: FieldType): Change | undefined {
  if (form === 'map') return compareMaps(old, next, type.map as MapType);
  if (form === 'list') return compareLists(old, next, type.list as ListType);
  return compareLeaf(old, next);
}

function compareLeaf(old: JsonValue, next: JsonValue): Change | undefined {
  return deepEqual(old, next) ? undefined : modifiedLeaf;
}

function joinChanges(left: Change | undefined, right: Change | undefined): Change | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  return {
    added: left.added ?? right.added,
    modified: left.modified ?? right.modified,
    removed: left.removed ?? right.removed,
  };
}

const nothing: JsonObject = {};

function compareMaps(old: JsonValue, next: JsonValue, map: MapType): Change | undefined {
  const oldMap = isMap(old) ? old : nothing;
  const nextMap = isMap(next) ? next : nothing;
  const oldKeys = Object.keys(oldMap);
  const nextKeys = Object.keys(nextMap);
  if (map.atomic || (oldKeys.length === 0 && nextKeys.length === 0)) return compareLeaf(old, next);
  const children = new ChildChanges();
  for (const name of nextKeys) compareMember(children, map, name, oldMap, nextMap);
  for (const name of oldKeys) {
    const before = oldMap[name];
    if (before === undefined || getKey(nextMap, name) !== undefined) continue;
    const member = memberOf(map, name);
    children.removed(member.key, wholeNode(before, member.type));
  }
  return children.build();
}

function compareMember(
  children: ChildChanges,
  map: MapType,
  name: string,
  oldMap: JsonObject,
  nextMap: JsonObject,
): void {
  const after = nextMap[name];
  const before = getKey(oldMap, name);
  if (after === undefined || before === after) return;
  const member = memberOf(map, name);
  if (before === undefined) children.added(member.key, wholeNode(after, member.type));
  else children.changed(member.key, compareValues(before, after, member.type));
}

function compareLists(old: JsonValue, next: JsonValue, list: ListType): Change | undefined {
  const oldItems = isList(old) ? old : [];
  const nextItems = isList(next) ? next : [];
  if (list.keys === undefined || (oldItems.length === 0 && nextItems.length === 0)) return compareLeaf(old, next);
  // Most lists are unchanged. Then the keys of their items are not needed.
  if (deepEqual(oldItems, nextItems)) return undefined;
  const before = groupItems(list, oldItems);
  const after = groupItems(list, nextItems);
  const children = new ChildChanges();
  for (const [key, items] of after) compareItems(children, list, key, before.get(key) ?? [], items);
  for (const [key, items] of before) if (!after.has(key)) compareItems(children, list, key, items, []);
  return children.build();
}

function groupItems(list: ListType, items: readonly JsonValue[]): Map<PathKey, JsonValue[]> {
  const groups = new Map<PathKey, JsonValue[]>();
  for (const [index, key] of listItemKeys(list, items).entries()) {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [items[index] as JsonValue]);
    else group.push(items[index] as JsonValue);
  }
  return groups;
}

/**
 * Compares the items of one key. Several items with the same key are tracked as one leaf, so that a key that becomes unique or
 * duplicate changes its owner.
 */
function compareItems(
  children: ChildChanges,
  list: ListType,
  key: PathKey,
  before: readonly JsonValue[],
  after: readonly JsonValue[],
): void {
  const [old] = before;
  const [next] = after;
  if (before.length > 1 && after.length > 1) {
    if (!deepEqual(before, after)) children.changed(key, modifiedLeaf);
    return;
  }
  if (before.length === 1 && after.length === 1) {
    children.changed(key, compareValues(old as JsonValue, next as JsonValue, list.element));
    return;
  }
  if (next !== undefined) children.added(key, after.length > 1 ? emptyFieldSet : wholeNode(next, list.element));
  if (old !== undefined) children.removed(key, before.length > 1 ? emptyFieldSet : wholeNode(old, list.element));
}

/** Collects changes of children. Allocates nothing before the first change. */
class ChildChanges {
  #added: [PathKey, FieldSet][] | undefined;
  #modified: [PathKey, FieldSet][] | undefined;
  #removed: [PathKey, FieldSet][] | undefined;

  added(key: PathKey, node: FieldSet): void {
    this.#added ??= [];
    this.#added.push([key, node]);
  }

  removed(key: PathKey, node: FieldSet): void {
    this.#removed ??= [];
    this.#removed.push([key, node]);
  }

  changed(key: PathKey, change: Change | undefined): void {
    if (change === undefined) return;
    if (change.added !== undefined) this.added(key, change.added);
    if (change.removed !== undefined) this.removed(key, change.removed);
    if (change.modified === undefined) return;
    this.#modified ??= [];
    this.#modified.push([key, change.modified]);
  }

  build(): Change | undefined {
    if (this.#added === undefined && this.#modified === undefined && this.#removed === undefined) return undefined;
    return {
      added: this.#added && buildNode(this.#added, false),
      modified: this.#modified && buildNode(this.#modified, false),
      removed: this.#removed && buildNode(this.#removed, false),
    };
  }
}

/** Returns all paths of an added or removed value, including the paths of its containers. */
export function wholeNode(value: JsonValue, type: FieldType): FieldSet {
  switch (formOf(type, value)) {
    case 'map':
      return isMap(value) ? wholeMap(value, type.map as MapType) : emptyFieldSet;
    case 'list':
      return isList(value) ? wholeList(value, type.list as ListType) : emptyFieldSet;
    default:
      return emptyFieldSet;
  }
}

function wholeMap(value: JsonObject, map: MapType): FieldSet {
  if (map.atomic) return emptyFieldSet;
  const keys: PathKey[] = [];
  const nodes: FieldSet[] = [];
  for (const name of Object.keys(value)) {
    const child = value[name];
    if (child === undefined) continue;
    const member = memberOf(map, name);
    keys.push(member.key);
    nodes.push(wholeNode(child, member.type));
  }
  return map.wholeMemo.build(keys, nodes, true) ?? emptyFieldSet;
}

function wholeList(value: readonly JsonValue[], list: ListType): FieldSet {
  if (list.keys === undefined) return emptyFieldSet;
  const children = new Map<PathKey, FieldSet>();
  for (const [index, key] of listItemKeys(list, value).entries()) {
    children.set(key, children.has(key) ? emptyFieldSet : wholeNode(value[index] as JsonValue, list.element));
  }
  return list.wholeMemo.build([...children.keys()], [...children.values()], true) ?? emptyFieldSet;
}
