import type { Comparison } from './compare.js';
import { difference, type FieldSet, fieldSetOf, intersection, isEmptySet, union } from './field-set.js';
import { type Managers, withClaim } from './managers.js';
import { fieldKey } from './path-key.js';
import { reconcileWithSchema } from './reconcile-schema.js';
import type { Versions } from './versions.js';

/** Server-managed fields, which no manager owns. */
export const neverOwned: FieldSet = fieldSetOf(
  ...['apiVersion', 'kind', 'metadata'].map((name) => [fieldKey(name)]),
  ...[
    'name',
    'namespace',
    'uid',
    'resourceVersion',
    'generation',
    'creationTimestamp',
    'deletionTimestamp',
    'deletionGracePeriodSeconds',
    'selfLink',
    'managedFields',
  ].map((name) => [fieldKey('metadata'), fieldKey(name)]),
);

/** The differences that a write makes, by API version. */
export type Comparisons = ReadonlyMap<string, Comparison>;

/** Removes managers at versions that are no longer served and adapts the field sets of the others to the schema. */
export function reconcileManagers(managers: Managers, versions: Versions): Managers {
  const result: Managers = new Map();
  for (const [identity, manager] of managers) {
    const type = versions.typeOf(manager.apiVersion);
    if (type === undefined) continue;
    result.set(identity, withClaim(manager, reconcileWithSchema(manager.set, type)));
  }
  return result;
}

/** Returns the fields that the write takes from other managers, by manager identity. */
export function findConflicts(managers: Managers, own: string, comparisons: Comparisons): Map<string, FieldSet> {
  const conflicts = new Map<string, FieldSet>();
  for (const [identity, manager] of managers) {
    const comparison = comparisons.get(manager.apiVersion);
    if (identity === own || comparison === undefined) continue;
    const taken = intersection(manager.set, union(comparison.modified, comparison.added));
    if (!isEmptySet(taken)) conflicts.set(identity, taken);
  }
  return conflicts;
}

/** Removes conflicting and deleted fields from all managers except `own`. Drops managers without fields. */
export function releaseFields(
  managers: Managers,
  own: string,
  conflicts: ReadonlyMap<string, FieldSet>,
  comparisons: Comparisons,
): void {
  for (const [identity, manager] of managers) {
    let set = manager.set;
    const taken = conflicts.get(identity);
    if (taken !== undefined) set = difference(set, taken);
    const removed = identity === own ? undefined : comparisons.get(manager.apiVersion)?.removed;
    if (removed !== undefined) set = difference(set, removed);
    if (isEmptySet(set)) managers.delete(identity);
    else managers.set(identity, withClaim(manager, set));
  }
}
