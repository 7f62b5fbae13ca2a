import { deepEqual, type JsonObject } from '../json/index.js';
import { managedFieldsOf, withoutManagedFields } from './managed-metadata.js';

/**
 * Returns whether a write changes nothing but the times of managedFields entries. Such a write is not stored: the resourceVersion
 * does not change and watches receive no event.
 */
export function sameExceptManagedFieldTimes(left: JsonObject, right: JsonObject): boolean {
  return (
    sameEntries(managedFieldsOf(left), managedFieldsOf(right)) &&
    deepEqual(withoutManagedFields(left), withoutManagedFields(right))
  );
}

function sameEntries(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  const leftEntries = entriesOf(left);
  const rightEntries = [...entriesOf(right)];
  if (leftEntries.length !== rightEntries.length) return false;
  // Compare in any order: entries are sorted by time, which may differ.
  return leftEntries.every((entry) => {
    const found = rightEntries.findIndex((other) => sameEntry(entry, other));
    if (found >= 0) rightEntries.splice(found, 1);
    return found >= 0;
  });
}

function entriesOf(managedFields: unknown): readonly unknown[] {
  return Array.isArray(managedFields) ? managedFields : [];
}

function sameEntry(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false;
  return deepEqual({ ...left, time: undefined }, { ...right, time: undefined });
}
