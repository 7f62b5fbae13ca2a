import { StatusError, badRequest } from '../errors/index.js';
import { cloneJson, deepEqual, type JsonObject, type MutableJsonObject } from '../json/index.js';
import { parseApiVersion } from '../meta/index.js';
import { formatTime } from '../text/time.js';
import { findConflicts, neverOwned, reconcileManagers, releaseFields } from './claims.js';
import { compareObjects, excludeFields } from './compare.js';
import { applyConflict } from './conflict.js';
import { difference, equalSets, type FieldSet, isEmptySet } from './field-set.js';
import type { FieldType } from './field-type.js';
import { isUnreadable } from './fields-v1.js';
import { isMap } from './forms.js';
import { fieldsLastApplied, kubectlManager, updateLastApplied } from './last-applied.js';
import { managedFieldsOf, setManagedFields, withoutManagedFields } from './managed-metadata.js';
import { decodeManagers, encodeManagers, type Manager, managerIdentity, type Managers, withClaim } from './managers.js';
import { mergeObjects } from './merge.js';
import { ownedFields } from './owned-fields.js';
import { pruneDropped } from './prune.js';
import { TypedError } from './typed-error.js';
import { compareVersions, type ManagedWrite, takeChanges, withoutResetFields } from './update-managed-fields.js';
import { validateTyped } from './validate-typed.js';
import { Versions } from './versions.js';

export interface ApplyWrite extends ManagedWrite {
  readonly kind: string;
  /** The stored object at the request's version, or undefined for a creation. */
  readonly live: JsonObject | undefined;
  /** The applied configuration as received. */
  readonly config: JsonObject;
  readonly force: boolean;
}

export interface ApplyResult {
  /** The merged object with its managedFields. The caller owns it. */
  readonly object: MutableJsonObject;
  /** Whether anything except managedFields differs from the live object. */
  readonly changed: boolean;
}

/** Performs a server-side apply. Throws StatusError: 409 for conflicts, 400 and 500 for configurations that cannot be merged. */
export async function applyConfiguration(write: ApplyWrite): Promise<ApplyResult> {
  const versions = new Versions(write.apiVersion, write.schema, write.versions);
  checkConfiguration(write, versions.ownType);
  await write.nextStep?.();
  const live = write.live === undefined ? undefined : withoutManagedFields(write.live);
  const outcome = await mergeIntoLive(write, versions, live);
  await write.nextStep?.();
  const managers = outcome.managers;
  const identity = managerIdentity(applierOf(write));
  const changed = live === undefined || !deepEqual(live, outcome.object);
  finishApplier(managers, identity, changed && write.now !== undefined ? formatTime(write.now) : undefined);
  const object = cloneJson(outcome.object) as MutableJsonObject;
  if (write.manager === kubectlManager) updateLastApplied(object, write.config);
  setManagedFields(object, encodeManagers(managers));
  return { object, changed };
}

function applierOf(write: ApplyWrite): Omit<Manager, 'set' | 'time'> {
  return {
    name: write.manager === '' ? 'unknown' : write.manager,
    operation: 'Apply',
    apiVersion: write.apiVersion,
    subresource: write.subresource ?? '',
  };
}

function checkConfiguration(write: ApplyWrite, type: FieldType): void {
  const { config } = write;
  if (config['apiVersion'] !== write.apiVersion || config['kind'] !== write.kind)
    throw badRequest(`invalid object type: ${formatKind(config)}`);
  const managedFields = managedFieldsOf(config);
  if (managedFields !== undefined && managedFields !== null) throw badRequest('metadata.managedFields must be nil');
  const problems = validateTyped(config, type);
  if (problems.length > 0)
    throw failure(`failed to create typed patch object (${formatObject(config)}): ${new TypedError(problems).message}`);
}

/** Returns a status 500 without a reason, as upstream does for plain errors. */
function failure(message: string): StatusError {
  return new StatusError({ code: 500, reason: '', message });
}

function formatKind(object: JsonObject): string {
  const apiVersion = typeof object['apiVersion'] === 'string' ? object['apiVersion'] : '';
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${typeof object['kind'] === 'string' ? object['kind'] : ''}`;
}

function formatObject(object: JsonObject): string {
  const metadata = isMap(object['metadata']) ? object['metadata'] : {};
  const text = (name: string): string => (typeof metadata[name] === 'string' ? metadata[name] : '');
  return `${text('namespace')}/${text('name')}; ${formatKind(object)}`;
}

/** Returns the stored ownership. If the object has no managedFields, all its fields are attributed to `before-first-apply`. */
async function claimsBefore(write: ApplyWrite, live: JsonObject | undefined): Promise<Managers> {
  const managers = decodeStored(write.live);
  if (managers.size > 0 || live === undefined) return managers;
  return takeChanges({ ...write, manager: 'before-first-apply' }, managers, undefined, live);
}

function decodeStored(live: JsonObject | undefined): Managers {
  try {
    return decodeManagers(managedFieldsOf(live));
  } catch (error) {
    if (!isUnreadable(error)) throw error;
    throw failure(`failed to decode managed fields: ${error.message}`);
  }
}

async function mergeIntoLive(write: ApplyWrite, versions: Versions, live: JsonObject | undefined): Promise<Outcome> {
  try {
    return await mergeConfiguration(write, versions, await claimsBefore(write, live), live);
  } catch (error) {
    if (!(error instanceof TypedError)) throw error;
    throw failure(`failed to create typed live object (${formatObject(live ?? write.config)}): ${error.message}`);
  }
}

interface Outcome {
  readonly object: JsonObject;
  readonly managers: Managers;
}

async function mergeConfiguration(
  write: ApplyWrite,
  versions: Versions,
  stored: Managers,
  live: JsonObject | undefined,
): Promise<Outcome> {
  const type = versions.ownType;
  const before = live ?? write.empty ?? {};
  const managers = reconcileManagers(stored, versions);
  const applier = applierOf(write);
  const identity = managerIdentity(applier);
  const last = managers.get(identity);
  const set = withoutResetFields(write, ownedFields(write.config, type));
  const claim: Manager = { ...applier, set, time: last?.time ?? '' };
  managers.set(identity, claim);
  await write.nextStep?.();
  const merged = mergeObjects(before, withoutManagedFields(write.config), type) as JsonObject;
  await write.nextStep?.();
  const object = await pruneDropped(merged, managers, claim, last, versions);
  await write.nextStep?.();
  const comparison = compareObjects(before, object, type);
  const own = write.resetFields === undefined ? comparison : excludeFields(comparison, write.resetFields);
  const comparisons = await compareVersions(write, managers, versions, live, object, own);
  await write.nextStep?.();
  const conflicts = findConflicts(managers, identity, comparisons);
  if (!write.force) rejectConflicts(write, managers, conflicts, before, type);
  releaseFields(managers, identity, conflicts, comparisons);
  if (last !== undefined) keepEntry(managers, identity, last);
  return { object, managers };
}

function rejectConflicts(
  write: ApplyWrite,
  managers: Managers,
  conflicts: ReadonlyMap<string, FieldSet>,
  live: JsonObject,
  type: FieldType,
): void {
  if (conflicts.size === 0) return;
  const allowed = write.manager === kubectlManager ? fieldsLastApplied(live, type, write.apiVersion) : undefined;
  if (allowed === undefined) throw applyConflict(managers, conflicts);
  const rest = new Map<string, FieldSet>();
  for (const [identity, set] of conflicts) {
    const conflicting = difference(set, allowed);
    if (!isEmptySet(conflicting)) rest.set(identity, conflicting);
  }
  if (rest.size > 0) throw applyConflict(managers, rest);
}

/** Keeps the stored managedFields entry of an applier whose owned fields did not change. */
function keepEntry(managers: Managers, identity: string, last: Manager): void {
  const claim = managers.get(identity);
  if (claim === undefined || claim.apiVersion !== last.apiVersion) return;
  const set = difference(claim.set, neverOwned);
  if (equalSets(set, last.set)) managers.set(identity, last);
}

function finishApplier(managers: Managers, identity: string, time: string | undefined): void {
  const claim = managers.get(identity);
  if (claim === undefined) return;
  const set = difference(claim.set, neverOwned);
  if (isEmptySet(set)) managers.delete(identity);
  else managers.set(identity, withClaim(claim, set, time));
}
