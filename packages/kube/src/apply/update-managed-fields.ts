import type { JsonObject, MutableJsonObject } from '../json/index.js';
import type { Schema } from '../schema/index.js';
import { StatusError } from '../errors/index.js';
import { type Comparisons, findConflicts, neverOwned, reconcileManagers, releaseFields } from './claims.js';
import { compareObjects, type Comparison, excludeFields } from './compare.js';
import { difference, emptyFieldSet, type FieldSet, isEmptySet, recursiveDifference, union } from './field-set.js';
import { claimsOfWrite, managedFieldsOf, setManagedFields, withoutManagedFields } from './managed-metadata.js';
import { capUpdateManagers, encodeManagers, type Manager, managerIdentity, type Managers } from './managers.js';
import type { ManagedFieldsEntry } from '../meta/index.js';
import { formatTime } from '../text/time.js';
import { TypedError } from './typed-error.js';
import { type VersionPort, Versions } from './versions.js';

/** The common parameters of updates and applies. */
export interface ManagedWrite {
  readonly schema: Schema;
  /** The name of the manager. '' is recorded as `unknown`. */
  readonly manager: string;
  readonly apiVersion: string;
  /** The subresource, or '' for the main resource. */
  readonly subresource?: string;
  /** Milliseconds since the epoch. If undefined, entries have no time. */
  readonly now: number | undefined;
  /** Fields that the write cannot change and therefore never owns. */
  readonly resetFields?: FieldSet;
  /** The structs that every object of a built-in kind has, even if the request does not set them. */
  readonly empty?: JsonObject;
  /** Converts between versions. Only needed for kinds with several versions that differ. */
  readonly versions?: VersionPort;
  /** Called between the steps of an apply, each of which takes time in proportion to the size of the object. */
  readonly nextStep?: () => Promise<void> | undefined;
}

export interface UpdateWrite extends ManagedWrite {
  /** The stored object, or undefined for a creation. */
  readonly live: JsonObject | undefined;
  /** The object to store. Its managedFields are replaced. */
  readonly next: MutableJsonObject;
}

/**
 * Updates managedFields after a POST, PUT or PATCH: changed fields belong to the manager of the write, removed fields to none.
 * Never fails: if a schema does not match or a conversion fails, the stored entries are kept; if an entry has a version that the
 * kind does not have, all entries are removed. Asynchronous only for conversion.
 */
export function updateManagedFields(write: UpdateWrite): void | Promise<void> {
  const { live, next } = write;
  const subresource = write.subresource ?? '';
  const managers = claimsOfWrite(live, next, subresource);
  setManagedFields(next, undefined);
  // An object whose managedFields were reset is not tracked again until the next apply.
  if (managers.size === 0 && live !== undefined) return undefined;
  try {
    const finished = takeChanges(write, managers, live === undefined ? undefined : withoutManagedFields(live), next);
    if (finished instanceof Promise) return writeLater(next, live, finished);
    writeEntries(next, live, finished);
  } catch (error) {
    // As upstream, reset managedFields if an entry has a version that the kind does not have.
    if (error instanceof StatusError) return undefined;
    if (!(error instanceof TypedError)) throw error;
    setManagedFields(next, storedEntries(live));
  }
  return undefined;
}

async function writeLater(
  next: MutableJsonObject,
  live: JsonObject | undefined,
  finished: Promise<Managers>,
): Promise<void> {
  try {
    writeEntries(next, live, await finished);
  } catch (error) {
    // A failing conversion webhook must not prevent the write.
    if (!(error instanceof Error)) throw error;
    setManagedFields(next, storedEntries(live));
  }
}

function storedEntries(live: JsonObject | undefined): readonly ManagedFieldsEntry[] | undefined {
  const stored = managedFieldsOf(live);
  return Array.isArray(stored) ? (stored as ManagedFieldsEntry[]) : undefined;
}

function writeEntries(next: MutableJsonObject, live: JsonObject | undefined, managers: Managers): void {
  const stored = storedEntries(live);
  const entries = encodeManagers(managers);
  const unchanged =
    entries !== undefined &&
    stored?.length === entries.length &&
    entries.every((entry, index) => entry === stored[index]);
  setManagedFields(next, unchanged ? stored : entries);
}

/** Returns the managers after a write from `live` to `next`. */
export function takeChanges(
  write: ManagedWrite,
  managers: Managers,
  live: JsonObject | undefined,
  next: JsonObject,
): Managers | Promise<Managers> {
  const versions = new Versions(write.apiVersion, write.schema, write.versions);
  const current = reconcileManagers(managers, versions);
  const own = compareAt(write, live ?? write.empty ?? {}, next, versions, write.apiVersion);
  const comparisons = compareVersions(write, current, versions, live, next, own);
  if (comparisons instanceof Promise) return comparisons.then((ready) => settleUpdate(write, current, ready, own));
  return settleUpdate(write, current, comparisons, own);
}

function settleUpdate(write: ManagedWrite, managers: Managers, comparisons: Comparisons, own: Comparison): Managers {
  releaseFields(managers, '', findConflicts(managers, '', comparisons), comparisons);
  const taken = difference(union(own.modified, own.added), neverOwned);
  if (!isEmptySet(taken)) {
    const manager: Omit<Manager, 'set' | 'time'> = {
      name: write.manager === '' ? 'unknown' : write.manager,
      operation: 'Update',
      apiVersion: write.apiVersion,
      subresource: write.subresource ?? '',
    };
    const identity = managerIdentity(manager);
    const previous = managers.get(identity)?.set ?? emptyFieldSet;
    managers.set(identity, {
      ...manager,
      set: union(previous, taken),
      time: write.now === undefined ? '' : formatTime(write.now),
    });
  }
  capUpdateManagers(managers);
  return managers;
}

function compareAt(
  write: ManagedWrite,
  live: JsonObject,
  next: JsonObject,
  versions: Versions,
  apiVersion: string,
): Comparison {
  const comparison = compareObjects(live, next, versions.typeOf(apiVersion) ?? versions.ownType);
  return write.resetFields === undefined ? comparison : excludeFields(comparison, write.resetFields);
}

function isSame(comparison: Comparison): boolean {
  return isEmptySet(comparison.added) && isEmptySet(comparison.modified) && isEmptySet(comparison.removed);
}

/** Compares at every version that a manager uses. Converts only if something changed and versions differ. */
export function compareVersions(
  write: ManagedWrite,
  managers: Managers,
  versions: Versions,
  live: JsonObject | undefined,
  next: JsonObject,
  own: Comparison,
): Comparisons | Promise<Comparisons> {
  const comparisons = new Map<string, Comparison>([[write.apiVersion, own]]);
  const foreign = new Set<string>();
  for (const { apiVersion } of managers.values()) {
    if (versions.isOwn(apiVersion) || isSame(own)) comparisons.set(apiVersion, own);
    else foreign.add(apiVersion);
  }
  if (foreign.size === 0) return comparisons;
  const converted = [...foreign].map(async (apiVersion) => {
    const before = live === undefined ? {} : await versions.convert(live, apiVersion);
    const after = await versions.convert(next, apiVersion);
    comparisons.set(apiVersion, compareAt(write, before, after, versions, apiVersion));
  });
  return Promise.all(converted).then(() => comparisons);
}

/** Removes the fields that a write may not own from the fields of a configuration or comparison. */
export function withoutResetFields(write: ManagedWrite, set: FieldSet): FieldSet {
  return write.resetFields === undefined ? set : recursiveDifference(set, write.resetFields);
}
