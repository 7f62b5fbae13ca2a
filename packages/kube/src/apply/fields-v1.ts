import { JsonError } from '../json/index.js';
import { buildNode, emptyFieldSet, equalSets, type FieldSet } from './field-set.js';
import { formatPathKey, parsePathKey, type PathKey, selfKey } from './path-key.js';

/** Decoded sets by their frozen `fieldsV1`, so that unchanged entries are decoded only once. */
const decoded = new WeakMap<object, FieldSet>();

/** Marks a set as canonical. Only for sets that this package has built. */
export function markDecoded(set: FieldSet): FieldSet {
  decoded.set(set, set);
  return set;
}

/** Returns whether an error is about malformed managedFields, and not a programming error. */
export function isUnreadable(error: unknown): error is Error {
  return error instanceof SyntaxError || error instanceof JsonError;
}

/** Decodes the `fieldsV1` of an entry. Throws (see isUnreadable) if it is not a trie of path elements. */
export function decodeFieldsV1(fields: unknown): FieldSet {
  if (fields === undefined || fields === null) return emptyFieldSet;
  if (typeof fields !== 'object' || Array.isArray(fields)) throw new SyntaxError('fieldsV1 must be an object');
  const cached = decoded.get(fields);
  if (cached !== undefined) return cached;
  const read = decodeChildren(fields as Record<string, unknown>, false) ?? emptyFieldSet;
  // Do not cache a mutable object: it may change.
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
    // Drop element types of later server versions, as upstream does.
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
