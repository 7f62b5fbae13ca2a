import { comparePathKeys, type PathKey, selfKey } from './path-key.js';

/**
 * A set of field paths: a trie with the structure of FieldsV1, so that decoding and encoding an entry costs nothing. A
 * child without keys is a member; a child with the key `.` is a member with members below it; any other child only leads
 * to members. Keys are in the order of FieldsV1. Sets are immutable and share subtrees.
 */
export interface FieldSet {
  readonly [key: PathKey]: FieldSet;
}

/** The empty set. It is also the node of a member that has no members below it. */
export const emptyFieldSet: FieldSet = Object.freeze({});

export function isEmptySet(set: FieldSet): boolean {
  if (set === emptyFieldSet) return true;
  for (const _key in set) return false;
  return true;
}

/** Returns whether the path that leads to the node is a member. */
function isMember(node: FieldSet): boolean {
  return node[selfKey] !== undefined || isEmptySet(node);
}

/**
 * Builds a node from children in any order. `self` makes the node itself a member. Returns undefined if the node would be empty.
 */
export function buildNode(children: [PathKey, FieldSet][], self: boolean): FieldSet | undefined {
  sortChildren(children);
  return buildSortedNode(children, self);
}

/** Like `buildNode`, for children that are sorted already, such as those of another set. */
export function buildSortedNode(children: readonly [PathKey, FieldSet][], self: boolean): FieldSet | undefined {
  if (children.length === 0) return self ? emptyFieldSet : undefined;
  const node: Record<PathKey, FieldSet> = {};
  if (self) node[selfKey] = emptyFieldSet;
  for (const [key, child] of children) node[key] = child;
  return node;
}

function sortChildren(children: [PathKey, FieldSet][]): void {
  for (let index = 1; index < children.length; index += 1) {
    const previous = children[index - 1];
    const current = children[index];
    if (previous === undefined || current === undefined || comparePathKeys(previous[0], current[0]) <= 0) continue;
    children.sort(([left], [right]) => comparePathKeys(left, right));
    return;
  }
}

/** Returns the node with itself as a member. */
export function withSelf(node: FieldSet | undefined): FieldSet {
  if (node === undefined || isEmptySet(node)) return emptyFieldSet;
  return node[selfKey] === undefined ? { [selfKey]: emptyFieldSet, ...node } : node;
}

/** Returns the members below a node as a set. */
export function belowNode(node: FieldSet | undefined): FieldSet {
  if (node === undefined) return emptyFieldSet;
  if (node[selfKey] === undefined) return node;
  const { [selfKey]: _self, ...below } = node;
  return below;
}

export function hasMember(set: FieldSet, path: readonly PathKey[]): boolean {
  let node: FieldSet | undefined = set;
  for (const key of path) {
    node = node[key];
    if (node === undefined) return false;
  }
  return path.length > 0 && isMember(node);
}

export function fieldSetOf(...paths: readonly (readonly PathKey[])[]): FieldSet {
  return paths.reduce<FieldSet>((set, path) => union(set, pathNode(path, 0)), emptyFieldSet);
}

function pathNode(path: readonly PathKey[], from: number): FieldSet {
  const key = path[from];
  return key === undefined ? emptyFieldSet : { [key]: pathNode(path, from + 1) };
}

export function union(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right || isEmptySet(right)) return left;
  if (isEmptySet(left)) return right;
  return joinKeys(left, right);
}

function unionNodes(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  if (isEmptySet(left)) return withSelf(right);
  if (isEmptySet(right)) return withSelf(left);
  return joinKeys(left, right);
}

function joinKeys(left: FieldSet, right: FieldSet): FieldSet {
  const changed = new Map<PathKey, FieldSet>();
  for (const key of Object.keys(right)) {
    const own = left[key];
    const joined = own === undefined ? (right[key] as FieldSet) : joinChild(key, own, right[key] as FieldSet);
    if (joined !== own) changed.set(key, joined);
  }
  if (changed.size === 0) return left;
  const children = Object.keys(left).map((key): [PathKey, FieldSet] => [
    key,
    changed.get(key) ?? (left[key] as FieldSet),
  ]);
  for (const [key, node] of changed) if (left[key] === undefined) children.push([key, node]);
  return buildNode(children, false) ?? emptyFieldSet;
}

function joinChild(key: PathKey, own: FieldSet, other: FieldSet): FieldSet {
  return key === selfKey ? own : unionNodes(own, other);
}

export function intersection(left: FieldSet, right: FieldSet): FieldSet {
  if (left === right) return left;
  const children: [PathKey, FieldSet][] = [];
  for (const key of Object.keys(left)) {
    const other = right[key];
    if (other === undefined || key === selfKey) continue;
    const node = intersectNodes(left[key] as FieldSet, other);
    if (node !== undefined) children.push([key, node]);
  }
  return buildSortedNode(children, false) ?? emptyFieldSet;
}

function intersectNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  const below = intersection(left, right);
  if (isMember(left) && isMember(right)) return withSelf(below);
  return isEmptySet(below) ? undefined : below;
}

/** Returns the members of `left` that are not members of `right`. A parent in `right` does not remove its children. */
export function difference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, differenceNodes);
}

function differenceNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  if (isEmptySet(left)) return isMember(right) ? undefined : left;
  return settle(subtract(left, right, differenceNodes), left[selfKey] !== undefined && !isMember(right));
}

/** Like `difference`, but a member of `right` also removes everything below it. */
export function recursiveDifference(left: FieldSet, right: FieldSet): FieldSet {
  return subtract(left, right, recursiveDifferenceNodes);
}

function recursiveDifferenceNodes(left: FieldSet, right: FieldSet): FieldSet | undefined {
  if (isMember(right)) return undefined;
  if (isEmptySet(left)) return left;
  return settle(subtract(left, right, recursiveDifferenceNodes), left[selfKey] !== undefined);
}

/** Returns the canonical form of a node from which members were removed. */
function settle(node: FieldSet, member: boolean): FieldSet | undefined {
  const keys = size(node);
  const hasSelf = node[selfKey] !== undefined;
  if (keys === (hasSelf ? 1 : 0)) return member ? emptyFieldSet : undefined;
  if (member) return withSelf(node);
  return hasSelf ? belowNode(node) : node;
}

function size(node: FieldSet): number {
  return Object.keys(node).length;
}

function subtract(
  left: FieldSet,
  right: FieldSet,
  subtractNodes: (left: FieldSet, right: FieldSet) => FieldSet | undefined,
): FieldSet {
  const changed = new Map<PathKey, FieldSet | undefined>();
  for (const key of Object.keys(right)) {
    const own = left[key];
    if (own === undefined || key === selfKey) continue;
    const rest = subtractNodes(own, right[key] as FieldSet);
    if (rest !== own) changed.set(key, rest);
  }
  if (changed.size === 0) return left;
  const result: Record<PathKey, FieldSet> = {};
  for (const key of Object.keys(left)) {
    const node = changed.has(key) ? changed.get(key) : left[key];
    if (node !== undefined) result[key] = node;
  }
  return result;
}

/** Returns the members that have no members below them. */
export function leaves(set: FieldSet): FieldSet {
  const children: [PathKey, FieldSet][] = [];
  for (const key of Object.keys(set)) {
    if (key === selfKey) continue;
    const node = set[key] as FieldSet;
    children.push([key, isEmptySet(node) ? node : leaves(node)]);
  }
  return buildSortedNode(children, false) ?? emptyFieldSet;
}

export function equalSets(left: FieldSet, right: FieldSet): boolean {
  if (left === right) return true;
  const keys = Object.keys(left);
  if (keys.length !== size(right)) return false;
  return keys.every((key) => {
    const other = right[key];
    return other !== undefined && equalSets(left[key] as FieldSet, other);
  });
}

/** Calls `visit` for every member: the members of a node before those below it, in order. The path array is reused. */
export function forEachMember(set: FieldSet, visit: (path: readonly PathKey[]) => void): void {
  visitMembers(set, [], visit);
}

function visitMembers(set: FieldSet, path: PathKey[], visit: (path: readonly PathKey[]) => void): void {
  const keys = Object.keys(set).filter((key) => key !== selfKey);
  for (const key of keys) {
    if (!isMember(set[key] as FieldSet)) continue;
    path.push(key);
    visit(path);
    path.pop();
  }
  for (const key of keys) {
    path.push(key);
    visitMembers(set[key] as FieldSet, path, visit);
    path.pop();
  }
}
