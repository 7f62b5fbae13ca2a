import { getKey } from '../json/set-key.js';
import type { MutableJson, MutableJsonObject } from '../json/value.js';
import type { Schema } from '../schema/schema.js';
import { identityOf, isObject, kindOf, orderElements, positionsOf } from './element-order.js';
import { PatchError, shownValue } from './patch-error.js';
import type { PatchMeta } from './patch-meta.js';
import {
  missingMergeKey,
  patchDirective,
  removeDirectives,
  requireIdentity,
  unknownDirective,
} from './strategic-rules.js';

export type MergeObject = (
  original: MutableJsonObject,
  patch: MutableJsonObject,
  schema: Schema | undefined,
) => MutableJsonObject;

/** Merges a list whose strategy is `merge`: scalars as a set, objects by their key. */
export function mergeList(
  original: MutableJson[],
  patch: MutableJson[],
  meta: PatchMeta,
  isDeletion: boolean,
  mergeObject: MergeObject,
): MutableJson[] {
  if (original.length === 0 && patch.length === 0) return original;
  if (elementKind(original, patch) !== 'object') return mergeScalars(original, patch, isDeletion);
  if (meta.mergeKey === '')
    throw new PatchError('unexpected', `cannot merge lists without merge key for ${meta.schema?.refName ?? 'struct'}`);
  const { remaining, changes } = applyElementDirectives(original, patch, meta.mergeKey);
  const liveOrder = [...remaining];
  const merged = mergeElements(remaining, changes, meta, mergeObject);
  return orderElements(merged, changes, liveOrder, meta.mergeKey);
}

/** Requires all elements to have the same type, which must not be a list. */
function elementKind(original: readonly MutableJson[], patch: readonly MutableJson[]): string {
  const kinds = new Set([...original, ...patch].map(kindOf));
  if (kinds.has('list')) throw new PatchError('failed', 'lists of lists are not supported');
  if (kinds.size > 1 || kinds.has('null')) {
    const lists = `[${shownValue(original)} ${shownValue(patch)}]`;
    throw new PatchError('unexpected', `list element types are not identical: ${lists}`);
  }
  return [...kinds][0] ?? '';
}

function mergeScalars(original: MutableJson[], patch: MutableJson[], isDeletion: boolean): MutableJson[] {
  const inPatch = positionsOf(patch, '');
  if (isDeletion) return original.filter((element) => !inPatch.has(identityOf(element, '') ?? ''));
  const seen = new Set<string>();
  const both = [...original, ...patch].filter((element) => {
    const identity = identityOf(element, '') ?? '';
    return !seen.has(identity) && seen.add(identity);
  });
  return orderElements(both, patch, original, '');
}

/** Handles `$patch` in elements: `delete` removes an element, and a single `replace` makes the patch replace the whole list. */
function applyElementDirectives(
  original: MutableJson[],
  patch: MutableJson[],
  mergeKey: string,
): { remaining: MutableJson[]; changes: MutableJson[] } {
  const changes: MutableJson[] = [];
  const deleted = new Set<string>();
  let replace = false;
  for (const element of patch as MutableJsonObject[]) {
    const directive = getKey(element, patchDirective);
    if (directive === undefined) changes.push(element);
    else if (directive === 'delete') deleted.add(requireIdentity(element, mergeKey));
    else if (directive === 'replace') replace = true;
    else if (directive === 'merge')
      throw new PatchError('unexpected', 'merging lists cannot yet be specified in the patch');
    else throw unknownDirective(directive, element);
  }
  if (replace) return { remaining: changes, changes: [] };
  return { remaining: original.filter((element) => !deleted.has(identityOf(element, mergeKey) ?? '')), changes };
}

function mergeElements(
  original: MutableJson[],
  changes: readonly MutableJson[],
  meta: PatchMeta,
  mergeObject: MergeObject,
): MutableJson[] {
  const positions = positionsOf(original, meta.mergeKey);
  for (const element of original) if (!hasKey(element, meta.mergeKey)) throw missingMergeKey(element, meta.mergeKey);
  for (const change of changes) {
    const identity = requireIdentity(change, meta.mergeKey);
    const position = positions.get(identity);
    if (position === undefined) {
      positions.set(identity, original.length);
      original.push(removeDirectives(change) ?? null);
    } else {
      original[position] = mergeObject(
        original[position] as MutableJsonObject,
        change as MutableJsonObject,
        meta.schema,
      );
    }
  }
  return original;
}

function hasKey(element: MutableJson, mergeKey: string): boolean {
  return isObject(element) && Object.hasOwn(element, mergeKey);
}
