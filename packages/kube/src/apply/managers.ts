import type { JsonValue } from '../json/index.js';
import type { ManagedFieldsEntry } from '../meta/index.js';
import { textOf } from '../text/fields.js';
import { formatTime, timeOf } from '../text/time.js';
import { type FieldSet, isEmptySet, union } from './field-set.js';
import { decodeFieldsV1, markDecoded } from './fields-v1.js';
import { compareText } from './path-key.js';

type Operation = 'Apply' | 'Update';

/** The fields that one manager owns: a decoded entry of `metadata.managedFields`. Immutable. */
export interface Manager {
  readonly name: string;
  readonly operation: Operation;
  readonly apiVersion: string;
  readonly subresource: string;
  /** RFC 3339 in whole seconds, or '' if absent. */
  readonly time: string;
  readonly set: FieldSet;
  /** The entry that this manager was decoded from. Kept as long as nothing changes. */
  readonly entry?: ManagedFieldsEntry;
}

/** Managers by identity. */
export type Managers = Map<string, Manager>;

/**
 * Returns the identity of a manager in upstream's serialization, by which messages are sorted. The identity of an Apply entry
 * does not contain its API version.
 */
export function managerIdentity(manager: Omit<Manager, 'set' | 'time' | 'entry'>): string {
  const { name, operation, apiVersion, subresource } = manager;
  const identity: Record<string, string> = {};
  if (name !== '') identity['manager'] = name;
  identity['operation'] = operation;
  if (operation === 'Update') identity['apiVersion'] = apiVersion;
  if (subresource !== '') identity['subresource'] = subresource;
  return JSON.stringify(identity);
}

const readEntries = new WeakMap<object, readonly [string, Manager]>();

/** Decodes `metadata.managedFields`. Throws (see isUnreadable) if an entry is malformed. */
export function decodeManagers(entries: unknown): Managers {
  const managers: Managers = new Map();
  if (entries === undefined || entries === null) return managers;
  if (!Array.isArray(entries)) throw new SyntaxError('managedFields must be a list');
  for (const [index, entry] of (entries as unknown[]).entries()) {
    const [identity, manager] = decodeEntry(entry, index);
    managers.set(identity, manager);
  }
  return managers;
}

function decodeEntry(entry: unknown, index: number): readonly [string, Manager] {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    throw new SyntaxError(`managedFields entry ${index} must be an object`);
  const cached = readEntries.get(entry);
  if (cached !== undefined) return cached;
  const read = readEntry(entry as Record<string, unknown>, index);
  if (Object.isFrozen(entry)) readEntries.set(entry, read);
  return read;
}

function readEntry(entry: Record<string, unknown>, index: number): readonly [string, Manager] {
  const operation = operationOf(entry['operation']);
  const apiVersion = textOf(entry['apiVersion']);
  if (apiVersion === '') throw new SyntaxError('apiVersion must not be empty');
  checkFieldsType(textOf(entry['fieldsType']), index);
  const set = decodeFieldsV1(entry['fieldsV1']);
  const time = timeTextOf(entry['time']);
  const fields = { name: textOf(entry['manager']), operation, apiVersion, subresource: textOf(entry['subresource']) };
  const manager: Manager = { ...fields, time, set };
  const canonical = Object.isFrozen(entry) && set === entry['fieldsV1'] && time === textOf(entry['time']);
  return [managerIdentity(manager), canonical ? { ...manager, entry: entry as ManagedFieldsEntry } : manager];
}

function operationOf(operation: unknown): Operation {
  if (operation === 'Apply' || operation === 'Update') return operation;
  throw new SyntaxError('operation must be `Apply` or `Update`');
}

function checkFieldsType(fieldsType: string, index: number): void {
  if (fieldsType === 'FieldsV1') return;
  if (fieldsType === '') throw new SyntaxError(`missing fieldsType in managed fields entry ${index}`);
  throw new SyntaxError(`invalid fieldsType "${fieldsType}" in managed fields entry ${index}`);
}

function timeTextOf(time: unknown): string {
  const milliseconds = timeOf(time);
  return milliseconds === undefined ? '' : formatTime(milliseconds);
}

/** Returns a manager with changed fields, detached from the entry that it was decoded from. */
export function withClaim(manager: Manager, set: FieldSet, time = manager.time): Manager {
  if (set === manager.set && time === manager.time) return manager;
  const { entry: _entry, ...rest } = manager;
  return { ...rest, set, time };
}

/** Returns the sorted entries: Apply before Update, then oldest first, then by name. Undefined if there are none. */
export function encodeManagers(managers: Managers): ManagedFieldsEntry[] | undefined {
  if (managers.size === 0) return undefined;
  return [...managers.values()].sort(compareManagers).map(encodeEntry);
}

function compareManagers(left: Manager, right: Manager): number {
  return (
    compareText(left.operation, right.operation) ||
    compareText(left.time, right.time) ||
    compareText(left.name, right.name) ||
    compareText(left.apiVersion, right.apiVersion) ||
    compareText(left.subresource, right.subresource)
  );
}

function encodeEntry(manager: Manager): ManagedFieldsEntry {
  if (manager.entry !== undefined) return manager.entry;
  const entry: ManagedFieldsEntry = {};
  if (manager.name !== '') entry.manager = manager.name;
  entry.operation = manager.operation;
  entry.apiVersion = manager.apiVersion;
  if (manager.time !== '') entry.time = manager.time;
  entry.fieldsType = 'FieldsV1';
  entry.fieldsV1 = (isEmptySet(manager.set) ? {} : markDecoded(manager.set)) as Record<string, JsonValue>;
  if (manager.subresource !== '') entry.subresource = manager.subresource;
  return entry;
}

const updateManagersMax = 10;

/** Merges the oldest Update entries of a version into one, so that the number of entries stays limited. */
export function capUpdateManagers(managers: Managers): void {
  const updaters = [...managers].filter(([, manager]) => manager.operation === 'Update');
  let excess = updaters.length - updateManagersMax;
  if (excess <= 0) return;
  updaters.sort(
    ([leftId, left], [rightId, right]) => compareText(left.time, right.time) || compareText(leftId, rightId),
  );
  const firstOfVersion = new Map<string, string>();
  for (const [identity, manager] of updaters) {
    if (excess <= 0) return;
    const first = firstOfVersion.get(manager.apiVersion);
    if (first === undefined) {
      firstOfVersion.set(manager.apiVersion, identity);
      continue;
    }
    foldInto(managers, first, identity, manager);
    excess -= 1;
  }
}

function foldInto(managers: Managers, first: string, identity: string, manager: Manager): void {
  const bucket = {
    name: 'ancient-changes',
    operation: 'Update',
    apiVersion: manager.apiVersion,
    subresource: '',
  } as const;
  const bucketId = managerIdentity(bucket);
  let previous = managers.get(bucketId);
  if (previous === undefined) {
    previous = managers.get(first) as Manager;
    managers.delete(first);
  }
  managers.delete(identity);
  managers.set(bucketId, { ...bucket, set: union(manager.set, previous.set), time: manager.time });
}
