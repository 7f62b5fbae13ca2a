import {
  asJson,
  createMergePatch,
  deepEqual,
  type Frozen,
  isReason,
  type JsonObject,
  type JsonValue,
  type KubeObject,
  type MutableJsonObject,
} from '@slipway/kube';
import type { ObjectKey } from '../client/index.js';
import { compareConditions, mergeConditionLists } from '../conditions/index.js';
import { edit } from './edit.js';

const attemptsMax = 5;
/** The metadata that a client may change. The server manages the rest. */
const patchableMetadata = ['labels', 'annotations', 'finalizers', 'ownerReferences'] as const;
const setLists = ['finalizers', 'ownerReferences'] as const;
const conditionPaths = [['conditions'], ['deprecated', 'v1beta1', 'conditions'], ['v1beta2', 'conditions']] as const;

/** Sends the requests of one difference to the server. */
export interface DifferencePort<T extends KubeObject> {
  /** `base` is the object that the patch was computed from. */
  readonly patch: (patch: JsonObject, subresource: '' | 'status', base: Frozen<T>) => Promise<Frozen<T>>;
  readonly get: () => Promise<Frozen<T>>;
}

export interface DifferenceOptions {
  readonly ownedConditions?: readonly string[] | 'all';
  readonly observesOwnChange?: boolean;
  readonly statusOnly?: boolean;
}

/**
 * Sends the difference between `before` and `after` as the smallest merge patches: one for metadata, spec and other fields, one
 * for the status. Sends nothing when nothing differs. Lists that several writers share (finalizers, owner references,
 * conditions) are sent with the resourceVersion they were computed from; on a conflict they are read again and the difference
 * is reapplied. Returns the object as the server stores it.
 */
export async function sendDifference<T extends KubeObject>(
  port: DifferencePort<T>,
  before: Frozen<T>,
  after: Frozen<T>,
  options: DifferenceOptions,
): Promise<Frozen<T>> {
  let changesSpec = false;
  const patched =
    options.statusOnly === true
      ? before
      : await send(port, before, '', (latest) => {
          const body = bodyPatch(asJson(before), asJson(after), asJson(latest));
          changesSpec = Object.keys(body.patch).some((field) => field !== 'metadata');
          return body;
        });
  // The patch removed the last finalizer, so the object no longer exists and has no status to write.
  if (patched === undefined) return before;
  const owned = options.ownedConditions ?? [];
  const desired =
    changesSpec && options.observesOwnChange === true ? withOwnGeneration(before, after, patched, owned) : after;
  const final = await send(port, patched, 'status', (latest) =>
    statusPatch(asJson(before), asJson(desired), asJson(latest), owned),
  );
  return final ?? patched;
}

function withOwnGeneration<T extends KubeObject>(
  before: Frozen<T>,
  after: Frozen<T>,
  patched: Frozen<T>,
  owned: readonly string[] | 'all',
): Frozen<T> {
  const [seen = 0, made] = [before.metadata.generation, patched.metadata.generation];
  const plain: Frozen<KubeObject> = after;
  // A larger increase of the generation means that another writer also changed the spec.
  if (made !== seen + 1 || plain['status'] === undefined) return after;
  return edit(plain, ({ status }) => {
    const target = status as MutableJsonObject;
    if (target['observedGeneration'] === seen) target['observedGeneration'] = made;
    for (const condition of listOf(target['conditions'])) {
      const { type, observedGeneration } = condition as AnyCondition;
      if (observedGeneration === seen && (owned === 'all' || owned.includes(type)))
        (condition as MutableJsonObject)['observedGeneration'] = made;
    }
  }) as Frozen<T>;
}

type Patch = { readonly patch: MutableJsonObject; readonly locked: boolean };

export function keyOf(object: Pick<Frozen<KubeObject>, 'metadata'>): ObjectKey {
  return { namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' };
}

async function send<T extends KubeObject>(
  port: DifferencePort<T>,
  start: Frozen<T>,
  subresource: '' | 'status',
  compute: (latest: Frozen<T>) => Patch,
): Promise<Frozen<T> | undefined> {
  let latest = start;
  for (let attempt = 1; ; attempt += 1) {
    const { patch, locked } = compute(latest);
    if (Object.keys(patch).length === 0) return latest;
    if (locked) lockVersion(patch, latest);
    try {
      return await port.patch(patch, subresource, latest);
    } catch (error) {
      if (isReason(error, 'NotFound') && isDeleting(latest)) return undefined;
      if (!locked || !isReason(error, 'Conflict') || attempt >= attemptsMax) throw error;
      latest = await port.get();
    }
  }
}

export function isDeleting(object: Pick<Frozen<KubeObject>, 'metadata'>): boolean {
  return typeof object.metadata.deletionTimestamp === 'string';
}

function lockVersion(patch: MutableJsonObject, latest: Frozen<KubeObject>): void {
  const metadata = (patch['metadata'] ?? {}) as MutableJsonObject;
  metadata['resourceVersion'] = latest.metadata.resourceVersion ?? '';
  // Include the uid, so that a later object with the same name does not receive this patch.
  if (latest.metadata.uid !== undefined) metadata['uid'] = latest.metadata.uid;
  patch['metadata'] = metadata;
}

function bodyPatch(before: JsonObject, after: JsonObject, latest: JsonObject): Patch {
  const desired = createMergePatch(withoutStatus(before), withoutStatus(after));
  const [was, is, now] = [memberOf(before, 'metadata'), memberOf(after, 'metadata'), memberOf(latest, 'metadata')];
  let locked = false;
  const metadata = (desired['metadata'] ?? {}) as MutableJsonObject;
  for (const list of setLists) {
    if (deepEqual(was[list], is[list])) continue;
    locked = true;
    const carried = carryOver(listOf(was[list]), listOf(is[list]), listOf(now[list]));
    if (deepEqual(carried, listOf(now[list]))) delete metadata[list];
    else metadata[list] = carried as MutableJsonObject[string];
  }
  if (Object.keys(metadata).length === 0) delete desired['metadata'];
  return { patch: desired, locked };
}

function withoutStatus(object: JsonObject): JsonObject {
  const { status: _status, apiVersion: _version, kind: _kind, metadata, ...rest } = object;
  const kept: MutableJsonObject = {};
  for (const name of patchableMetadata) {
    const value = (metadata as JsonObject)[name];
    if (value !== undefined) kept[name] = value as MutableJsonObject[string];
  }
  return { ...rest, metadata: kept };
}

/** Merges a list: applies the additions and removals of the caller, and keeps the changes of other writers. */
function carryOver(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  latest: readonly JsonValue[],
): JsonValue[] {
  const has = (list: readonly JsonValue[], item: JsonValue): boolean => list.some((other) => deepEqual(other, item));
  const kept = latest.filter((item) => has(after, item) || !has(before, item));
  return [...kept, ...after.filter((item) => !has(before, item) && !has(kept, item))];
}

function statusPatch(
  before: JsonObject,
  after: JsonObject,
  latest: JsonObject,
  owned: readonly string[] | 'all',
): Patch {
  const [was, is, now] = [memberOf(before, 'status'), memberOf(after, 'status'), memberOf(latest, 'status')];
  const status = createMergePatch(was, is);
  let locked = false;
  for (const path of conditionPaths) {
    const [wasList, isList, nowList] = [was, is, now].map((from) => conditionsAt(from, path)) as ConditionLists;
    if (deepEqual(wasList, isList)) continue;
    locked = true;
    const merged = mergeConditionLists(wasList, isList, nowList, { owned, compare: compareAt(path) });
    setAt(status, path, deepEqual(merged, nowList) ? undefined : merged);
  }
  return Object.keys(status).length === 0 ? { patch: {}, locked } : { patch: { status }, locked };
}

type AnyCondition = JsonObject & { readonly type: string };
type ConditionLists = [AnyCondition[], AnyCondition[], AnyCondition[]];

function conditionsAt(status: JsonObject, path: readonly string[]): AnyCondition[] {
  let value: JsonValue | undefined = status;
  for (const step of path) value = isObject(value) ? value[step] : undefined;
  return listOf(value) as AnyCondition[];
}

/**
 * Returns the comparison for a list of conditions. v1beta1 lists are sorted alphabetically after Ready, v1beta2 lists by
 * `compareConditions`.
 */
function compareAt(path: readonly string[]): (left: AnyCondition, right: AnyCondition) => number {
  if (path[0] !== 'deprecated') return compareConditions;
  return (left, right) => {
    if ((left.type === 'Ready') !== (right.type === 'Ready')) return left.type === 'Ready' ? -1 : 1;
    return left.type < right.type ? -1 : 1;
  };
}

/** Sets the list at a path of the patch. Undefined removes it, together with parents that become empty. */
function setAt(patch: MutableJsonObject, path: readonly string[], list: readonly AnyCondition[] | undefined): void {
  const [step = '', ...rest] = path;
  if (rest.length === 0) {
    if (list === undefined) delete patch[step];
    else patch[step] = [...list] as MutableJsonObject[];
    return;
  }
  const child = isObject(patch[step]) ? (patch[step] as MutableJsonObject) : {};
  setAt(child, rest, list);
  if (Object.keys(child).length === 0) delete patch[step];
  else patch[step] = child;
}

function memberOf(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isObject(value) ? value : {};
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? (value as readonly JsonValue[]) : [];
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
