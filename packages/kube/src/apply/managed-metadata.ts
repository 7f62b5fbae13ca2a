import { deepEqual, type JsonObject, type MutableJson, type MutableJsonObject } from '../json/index.js';
import type { ManagedFieldsEntry } from '../meta/index.js';
import { isUnreadable } from './fields-v1.js';
import { isMap } from './forms.js';
import { decodeManagers, type Managers } from './managers.js';

export function managedFieldsOf(object: JsonObject | undefined): unknown {
  const metadata = object?.['metadata'];
  return isMap(metadata) ? metadata['managedFields'] : undefined;
}

/** Returns the object without metadata that no manager owns. Copies two levels and shares the rest. */
export function withoutManagedFields(object: JsonObject): JsonObject {
  const metadata = object['metadata'];
  if (!isMap(metadata) || metadata['managedFields'] === undefined) return object;
  const { managedFields: _managedFields, ...rest } = metadata;
  return { ...object, metadata: rest };
}

/** Sets managedFields of an object that the request owns. */
export function setManagedFields(object: MutableJsonObject, entries: readonly ManagedFieldsEntry[] | undefined): void {
  let metadata = object['metadata'];
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata)) {
    if (entries === undefined) return;
    metadata = {};
    object['metadata'] = metadata;
  }
  if (entries === undefined) delete metadata['managedFields'];
  // The entries may be shared with the stored object, in which they are frozen. Nothing changes them.
  else metadata['managedFields'] = entries as unknown as MutableJson;
}

/**
 * Returns the managers that a write starts from. Null or malformed managedFields keep the stored ones; an empty list, or a list
 * of one empty entry, resets them. Writes to subresources cannot change them.
 */
export function claimsOfWrite(live: JsonObject | undefined, next: JsonObject, subresource: string): Managers {
  const given = managedFieldsOf(next);
  const stored = managedFieldsOf(live);
  if (subresource !== '' || given === undefined || given === null || given === stored) return decodeOrNothing(stored);
  if (isReset(given)) return new Map();
  const managers = decodeOrNothing(Array.isArray(given) ? shareEntries(given, stored) : given);
  return managers.size === 0 ? decodeOrNothing(stored) : managers;
}

function decodeOrNothing(entries: unknown): Managers {
  try {
    return decodeManagers(entries);
  } catch (error) {
    if (isUnreadable(error)) return new Map();
    throw error;
  }
}

function isReset(entries: unknown): boolean {
  if (!Array.isArray(entries)) return false;
  const [first] = entries as unknown[];
  return entries.length === 0 || (entries.length === 1 && isEmptyEntry(first));
}

function isEmptyEntry(entry: unknown): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  return Object.values(entry).every((value) => value === undefined || value === null || value === '');
}

/**
 * Replaces entries that equal the stored ones with the stored ones, which are already decoded. Clients usually send
 * back the entries that they read.
 */
function shareEntries(given: readonly unknown[], stored: unknown): unknown[] {
  const known = Array.isArray(stored) ? (stored as readonly unknown[]) : [];
  return given.map((entry, index) => (deepEqual(entry, known[index]) ? known[index] : entry));
}
