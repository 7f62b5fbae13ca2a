import { JsonError } from '../json/index.js';
import { buildNode, emptyFieldSet, equalSets, type FieldSet } from './field-set.js';
import { formatPathKey, parsePathKey, type PathKey, selfKey } from './path-key.js';

/** Sets that were read before, by the frozen `fieldsV1` they came from: entries nobody touches are decoded once. */
const decoded = new WeakMap<object, FieldSet>();

/** Says that `set` is canonical as it stands, since it was built here. */
export function markDecoded(set: FieldSet): FieldSet {
  decoded.set(set, set);
  return set;
}

/** Whether an error says that managedFields cannot be read, as opposed to a mistake of ours. */
export function isUnreadable(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof JsonError;
}

/** Reads the `fieldsV1` of an entry. Throws (see isUnreadable) when it is no trie of path elements. */
export function decodeFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptyFieldSet;
  if (typeof fields !== 'object' || Array.isArray(fields)) throw new SyntaxError('fieldsV1 must be an object');
  const known = decoded.get(fields);
  if (known !== undefined) return known;
  const read = decodeChildren(fields as Record<string, unknown>, false) ?? emptyFieldSet;
  // An object that is still owned by a request may change under the cache.
  if (!Object.isFrozen(fields)) return markDecoded(read);
  const set = equalSets(read, fields as FieldSet) ? (fields as FieldSet) : read;
  decoded.set(fields, set);
  return set;
}

function decodeChildren(fields: Record<string, unknown>, self: boolean): FieldSet | undefined {
  const children = new Map<PathKey, FieldSet>();
  for (const key of Object.keys(fields)) {
    if (key === selfKey) continue;
    const element = parsePathKey(key);
    // A kind of element that a later server may know: dropped, as upstream does.
    if (element === undefined) continue;
    children.set(element.kind === 'field' ? key : formatPathKey(element), decodeNode(fields[key]));
  }
  return buildNode([...children], self);
}

function decodeNode(node: unknown): FieldSet {
  if (node === null) return emptyFieldSet;
  if (typeof node !== 'object' || Array.isArray(node)) throw new SyntaxError('a path element must hold an object');
  const fields = node as Record<string, unknown>;
  return decodeChildren(fields, Object.hasOwn(fields, selfKey)) ?? emptyFieldSet;
}
