import { cloneJson } from '../json/deep.js';
import { getKey, setKey } from '../json/set-key.js';
import type { JsonObject, MutableJson, MutableJsonObject } from '../json/value.js';
import type { Schema } from '../schema/schema.js';
import { isObject, kindOf, orderElements } from './element-order.js';
import { mergeList } from './merge-list.js';
import { jsonKind, PatchError, shownValue } from './patch-error.js';
import { listFieldMeta, objectFieldMeta, type PatchMeta } from './patch-meta.js';
import { patchDirective, removeDirectives, requireIdentity, unknownDirective, wrongType } from './strategic-rules.js';

const retainKeysDirective = '$retainKeys';
const deleteFromListPrefix = '$deleteFromPrimitiveList';
const elementOrderPrefix = '$setElementOrder';

const badElementOrder = 'invalid patch format of setElementOrder list';
const badRetainKeys = 'invalid patch format of retainKeys';
const badPrimitiveList = 'invalid patch format of primitive list';

/** Validates that a decoded body is a strategic merge patch: an object. Throws PatchError. */
export function decodeStrategicMergePatch(value: unknown): JsonObject {
  if (value === null) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return value as JsonObject;
  const text = `json: cannot unmarshal ${jsonKind(value)} into Go value of type map[string]interface {}`;
  throw new PatchError('malformed', `error decoding patch: ${text}`);
}

/**
 * Applies a strategic merge patch in place to a document that the caller owns. The schema defines which lists are merged
 * and by which key. The patch is not changed, because it may be applied again after a conflict. Throws PatchError.
 */
export function applyStrategicMergePatch(
  document: MutableJsonObject,
  patch: JsonObject,
  schema: Schema | undefined,
): MutableJsonObject {
  return mergeObject(document, cloneJson(patch) as MutableJsonObject, schema);
}

/** Merges `patch` into `original`. Changes `patch`. */
function mergeObject(
  original: MutableJsonObject,
  patch: MutableJsonObject,
  schema: Schema | undefined,
): MutableJsonObject {
  if (Object.hasOwn(patch, patchDirective)) return applyObjectDirective(patch);
  applyRetainKeys(original, patch);
  applyElementOrders(original, patch, schema);
  for (const key of Object.keys(patch)) mergeField(original, key, patch[key] ?? null, schema);
  return original;
}

function applyObjectDirective(patch: MutableJsonObject): MutableJsonObject {
  const directive = patch[patchDirective];
  if (directive === 'delete') return {};
  if (directive !== 'replace') throw unknownDirective(directive, patch);
  delete patch[patchDirective];
  return patch;
}

/** Removes every key that is not in the list. Rejects a patch that sets a key outside the list. */
function applyRetainKeys(original: MutableJsonObject, patch: MutableJsonObject): void {
  if (!Object.hasOwn(patch, retainKeysDirective)) return;
  const retained = patch[retainKeysDirective];
  delete patch[retainKeysDirective];
  if (!Array.isArray(retained)) throw new PatchError('malformed', badRetainKeys);
  const keys = new Set(retained);
  for (const key of Object.keys(patch)) {
    const isDirective = key.startsWith(deleteFromListPrefix) || key.startsWith(elementOrderPrefix);
    if (patch[key] !== null && !isDirective && !keys.has(key)) throw new PatchError('malformed', badRetainKeys);
  }
  for (const key of Object.keys(original)) if (!keys.has(key)) delete original[key];
}

function applyElementOrders(original: MutableJsonObject, patch: MutableJsonObject, schema: Schema | undefined): void {
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(elementOrderPrefix)) continue;
    const order = patch[key];
    delete patch[key];
    if (!Array.isArray(order)) throw wrongType('[]interface {}', order);
    applyElementOrder(original, patch, directiveField(key, elementOrderPrefix, badElementOrder), order, schema);
  }
}

function applyElementOrder(
  original: MutableJsonObject,
  patch: MutableJsonObject,
  field: string,
  order: MutableJson[],
  schema: Schema | undefined,
): void {
  const live = listOf(original, field);
  const changes = listOf(patch, field);
  const meta = listFieldMeta(schema, field);
  checkElementOrder(changes ?? [], order, meta.mergeKey);
  delete patch[field];
  if (live === undefined && changes === undefined) return;
  const liveBefore = [...(live ?? [])];
  setKey(original, field, orderElements(mergeOrdered(live, changes, meta), order, liveBefore, meta.mergeKey));
}

function mergeOrdered(
  live: MutableJson[] | undefined,
  changes: MutableJson[] | undefined,
  meta: PatchMeta,
): MutableJson[] {
  if (changes === undefined) return live ?? [];
  if (live === undefined) return (removeDirectives(changes) ?? []) as MutableJson[];
  return mergeListField(live, changes, meta, false);
}

function listOf(object: MutableJsonObject, field: string): MutableJson[] | undefined {
  const value = getKey(object, field);
  if (value === undefined || Array.isArray(value)) return value;
  throw wrongType('[]interface {}', value);
}

/** Requires the patch list to be a subsequence of the order list. Deletions are not part of the order. */
function checkElementOrder(changes: readonly MutableJson[], order: readonly MutableJson[], mergeKey: string): void {
  if (order.length === 0 || changes.length === 0) return;
  let position = 0;
  for (const change of changes) {
    if (isObject(change) && Object.hasOwn(change, patchDirective)) continue;
    const identity = requireIdentity(change, mergeKey);
    while (position < order.length && requireIdentity(order[position] ?? null, mergeKey) !== identity) position += 1;
    if (position === order.length) {
      const lists = `The order in patch list:\n${shownValue(changes)}\n doesn't match $setElementOrder list:`;
      throw new PatchError('unexpected', `${lists}\n${shownValue(order)}\n`);
    }
    position += 1;
  }
}

function mergeField(
  original: MutableJsonObject,
  patchKey: string,
  value: MutableJson,
  schema: Schema | undefined,
): void {
  const isDeletion = patchKey.startsWith(deleteFromListPrefix);
  const key = isDeletion ? directiveField(patchKey, deleteFromListPrefix, badPrimitiveList) : patchKey;
  if (value === null) {
    delete original[key];
    return;
  }
  const current = getKey(original, key);
  if (current === undefined || kindOf(current) !== kindOf(value)) {
    if (!isDeletion) setFresh(original, key, value);
  } else if (Array.isArray(value)) {
    setKey(original, key, mergeListField(current as MutableJson[], value, listFieldMeta(schema, key), isDeletion));
  } else if (isObject(value)) {
    const meta = objectFieldMeta(schema, key);
    const members = value as MutableJsonObject;
    setKey(
      original,
      key,
      meta.strategy === 'replace' ? members : mergeObject(current as MutableJsonObject, members, meta.schema),
    );
  } else {
    setKey(original, key, value);
  }
}

function mergeListField(
  current: MutableJson[],
  changes: MutableJson[],
  meta: PatchMeta,
  isDeletion: boolean,
): MutableJson[] {
  if (meta.strategy !== 'merge' && !isDeletion) return changes;
  return mergeList(current, changes, meta, isDeletion, mergeObject);
}

/** Removes directives and nulls from a new value: there is nothing for them to delete. */
function setFresh(original: MutableJsonObject, key: string, value: MutableJson): void {
  discardNulls(value);
  const clean = removeDirectives(value);
  if (clean === undefined) delete original[key];
  else setKey(original, key, clean);
}

function discardNulls(value: MutableJson): void {
  if (Array.isArray(value)) {
    for (const item of value) discardNulls(item);
  } else if (isObject(value)) {
    const members = value as MutableJsonObject;
    for (const key of Object.keys(members)) {
      if (members[key] === null) delete members[key];
      else discardNulls(members[key] ?? null);
    }
  }
}

function directiveField(key: string, prefix: string, problem: string): string {
  if (!key.startsWith(`${prefix}/`)) throw new PatchError('malformed', problem);
  return key.slice(prefix.length + 1);
}
