import { cloneJson, deepEqual } from '../json/deep.js';
import { jsonDepthMax } from '../json/limits.js';
import { getKey, setKey } from '../json/set-key.js';
import type { JsonValue, MutableJson } from '../json/value.js';
import { findPlace, parseIndex, type Place } from './json-pointer.js';
import { jsonKind, PatchError } from './patch-error.js';

const jsonPatchOperationsMax = 10_000;
/** Limit of the size of all copies together: ten times the largest request. */
const copyBytesMax = 31_457_280;

export interface JsonPatchOperation {
  readonly op: string;
  readonly path: string;
  readonly from?: string;
  readonly value?: JsonValue;
}

/** Validates that a decoded body is a JSON patch. Throws PatchError (`malformed`, `tooLarge`). */
export function decodeJsonPatch(value: unknown): readonly JsonPatchOperation[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw unmarshalError(value, '[]handlers.jsonPatchOp');
  if (value.length > jsonPatchOperationsMax) {
    const text = `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${value.length}`;
    throw new PatchError('tooLarge', `Request entity too large: ${text}`);
  }
  for (const operation of value as unknown[]) checkOperation(operation);
  return value as JsonPatchOperation[];
}

function checkOperation(operation: unknown): void {
  if (typeof operation !== 'object' || operation === null || Array.isArray(operation))
    throw unmarshalError(operation, 'handlers.jsonPatchOp');
  for (const field of ['op', 'path', 'from'] as const) {
    const text = getKey(operation as Record<string, unknown>, field);
    if (text !== undefined && text !== null && typeof text !== 'string')
      throw unmarshalError(text, 'string', ` Go struct field jsonPatchOp.${field} of type`);
  }
}

function unmarshalError(value: unknown, type: string, where = ' Go value of type'): PatchError {
  return new PatchError(
    'malformed',
    `error decoding patch: json: cannot unmarshal ${jsonKind(value)} into${where} ${type}`,
  );
}

/**
 * Applies an RFC 6902 patch in place to a document that the caller owns, and returns the result, which is another value if
 * the root is replaced. Throws PatchError and leaves the document partly changed. Follows upstream's library where it is
 * more lenient than the RFC: `replace` may create a key, a missing `value` is null, and indices may be negative.
 */
export function applyJsonPatch(document: MutableJson, patch: readonly JsonPatchOperation[]): MutableJson {
  const state: PatchState = { root: document, copiedBytes: 0 };
  for (const operation of patch) applyOperation(state, operation);
  measure(state.root, jsonDepthMax);
  return state.root;
}

interface PatchState {
  root: MutableJson;
  copiedBytes: number;
}

function applyOperation(state: PatchState, operation: JsonPatchOperation): void {
  switch (operation.op) {
    case 'add':
      return insert(
        place(state, operation.path, 'add operation does not apply: doc is missing path'),
        valueOf(operation),
      );
    case 'remove':
      remove(place(state, operation.path, 'remove operation does not apply: doc is missing path'));
      return;
    case 'replace':
      return replace(state, operation);
    case 'move':
      return move(state, operation);
    case 'copy':
      return copy(state, operation);
    case 'test':
      return test(state, operation);
    default:
      throw new PatchError('failed', `Unexpected kind: ${operation.op ?? 'unknown'}`);
  }
}

/** Returns a copy of the value, because the patch may be applied again after a conflict. */
function valueOf(operation: JsonPatchOperation): MutableJson {
  return operation.value === undefined ? null : (cloneJson(operation.value) as MutableJson);
}

function place(state: PatchState, path: string | undefined, problem: string): Place {
  const found = findPlace(state.root, path ?? '');
  if (found === undefined) throw new PatchError('failed', `${problem}: "${path ?? ''}": missing value`);
  return found;
}

function insert({ parent, key }: Place, value: MutableJson): void {
  if (!Array.isArray(parent)) {
    setKey(parent, key, value);
    return;
  }
  // The index after the last item is valid: it appends.
  const index = key === '-' ? parent.length : parseIndex(key, parent.length + 1);
  if (index === undefined) throw invalidIndex(key);
  parent.splice(index, 0, value);
}

function remove(target: Place): MutableJson {
  const { parent, key } = target;
  const value = read(target);
  if (value === undefined) throw new PatchError('failed', `Unable to remove nonexistent key: ${key}: missing value`);
  if (Array.isArray(parent)) parent.splice(parseIndex(key, parent.length) ?? 0, 1);
  else delete parent[key];
  return value;
}

/** Reads the value at a place. Returns undefined for a missing key. Throws for a missing index. */
function read({ parent, key }: Place): MutableJson | undefined {
  if (!Array.isArray(parent)) return getKey(parent, key);
  const index = parseIndex(key, parent.length);
  if (index === undefined) throw invalidIndex(key);
  return parent[index];
}

function replace(state: PatchState, operation: JsonPatchOperation): void {
  const value = valueOf(operation);
  if ((operation.path ?? '') === '') {
    if (typeof value !== 'object' || value === null)
      throw new PatchError('failed', 'replace operation value must be object or array');
    state.root = value;
    return;
  }
  const { parent, key } = place(state, operation.path, 'replace operation does not apply: doc is missing path');
  if (!Array.isArray(parent)) {
    setKey(parent, key, value);
    return;
  }
  const index = parseIndex(key, parent.length);
  if (index === undefined) throw invalidIndex(key);
  parent[index] = value;
}

function move(state: PatchState, operation: JsonPatchOperation): void {
  const value = remove(place(state, operation.from, 'move operation does not apply: doc is missing from path'));
  insert(place(state, operation.path, 'move operation does not apply: doc is missing destination path'), value);
}

function copy(state: PatchState, operation: JsonPatchOperation): void {
  const value = read(place(state, operation.from, 'copy operation does not apply: doc is missing from path')) ?? null;
  const target = place(state, operation.path, 'copy operation does not apply: doc is missing destination path');
  state.copiedBytes += measure(value, jsonDepthMax);
  if (state.copiedBytes > copyBytesMax) {
    const text = `the accumulated size increase of copy is ${state.copiedBytes}, exceeding the limit ${copyBytesMax}`;
    throw new PatchError('failed', `Unable to complete the copy, ${text}`);
  }
  insert(target, cloneJson(value) as MutableJson);
}

function test(state: PatchState, operation: JsonPatchOperation): void {
  const expected = operation.value ?? null;
  const actual =
    (operation.path ?? '') === ''
      ? state.root
      : (read(place(state, operation.path, 'test operation does not apply: is missing path')) ?? null);
  if (!deepEqual(expected, actual))
    throw new PatchError('failed', `testing value ${operation.path ?? ''} failed: test failed`);
}

function invalidIndex(key: string): PatchError {
  return new PatchError('failed', `Unable to access invalid index: ${key}: invalid index referenced`);
}

/**
 * Returns the approximate size of a value in bytes. Also limits the depth: repeatedly copying a value into itself nests it
 * deeply.
 */
function measure(value: JsonValue, depthLeft: number): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 8;
  if (depthLeft === 0) throw new PatchError('failed', 'exceeded max depth');
  let size = 2;
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) size += 1 + measure(item, depthLeft - 1);
    return size;
  }
  for (const [key, member] of Object.entries(value as { [key: string]: JsonValue }))
    size += key.length + 4 + measure(member, depthLeft - 1);
  return size;
}
