import { cloneJson, deepEqual } from '../json/deep.js';
import { getKey, setKey } from '../json/set-key.js';
import type { JsonObject, JsonValue, MutableJson, MutableJsonObject } from '../json/value.js';
import { jsonKind, PatchError } from './patch-error.js';

/** Validates that a decoded body is a merge patch: an object. Throws PatchError. */
export function decodeMergePatch(value: unknown): JsonObject {
  if (value === null) throw new PatchError('malformed', 'Invalid JSON Patch');
  if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  const text = `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
  throw new PatchError('malformed', `error decoding patch: ${text}`);
}

/**
 * Applies an RFC 7386 patch in place to a document that the caller owns. Frozen members are copied if the patch changes
 * them and shared otherwise. The patch is not changed.
 */
export function applyMergePatch(document: MutableJsonObject, patch: JsonObject): MutableJsonObject {
  for (const key of Object.keys(patch)) {
    const value = patch[key];
    if (value === undefined) continue;
    if (value === null) delete document[key];
    else setKey(document, key, mergeValue(getKey(document, key), value));
  }
  return document;
}

function mergeValue(current: MutableJson | undefined, patch: JsonValue): MutableJson {
  if (!isObject(current)) return withoutNulls(patch);
  if (!isObject(patch)) return cloneJson(patch) as MutableJson;
  return applyMergePatch(Object.isFrozen(current) ? { ...current } : current, patch);
}

/** Returns a new value without nulls: there is nothing for them to delete. */
function withoutNulls(value: JsonValue): MutableJson {
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(withoutNulls);
  if (!isObject(value)) return value as MutableJson;
  const result: MutableJsonObject = {};
  for (const key of Object.keys(value)) {
    const member = value[key];
    if (member !== undefined && member !== null) setKey(result, key, withoutNulls(member));
  }
  return result;
}

/**
 * Returns the smallest merge patch from `from` to `to`, or an empty object if they are equal. A merge patch cannot express
 * nulls in `to`: they become deletions.
 */
export function createMergePatch(from: JsonObject, to: JsonObject): MutableJsonObject {
  const patch: MutableJsonObject = {};
  for (const key of Object.keys(from))
    if (from[key] !== undefined && getKey(to, key) === undefined) setKey(patch, key, null);
  for (const key of Object.keys(to)) {
    const desired = to[key];
    const current = getKey(from, key);
    if (desired === undefined || (current !== undefined && deepEqual(current, desired))) continue;
    const nested = isObject(current) && isObject(desired);
    setKey(patch, key, nested ? createMergePatch(current, desired) : (cloneJson(desired) as MutableJson));
  }
  return patch;
}

function isObject(value: MutableJson | undefined): value is MutableJsonObject;
function isObject(value: JsonValue | undefined): value is JsonObject;
function isObject(value: JsonValue | undefined): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
