import { type Frozen, type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import type { Registry, Store } from '../../contract/index.js';
import { referencesOf } from './owner-index.js';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export type OwnerState =
  /** The owner exists and is not in foreground deletion. */
  | 'solid'
  /** The owner exists but is in foreground deletion and waits for its dependents. */
  | 'waiting'
  | 'absent'
  /** The kind of the owner is not served, so its existence is unknown. */
  | 'unknown'
  /** A namespaced owner of a cluster-scoped object, which can never be resolved. */
  | 'impossible';

export interface OwnerSource {
  readonly registry: Registry;
  readonly store: Store;
  /** Returns the namespace of an owner whose deletion was observed, because its kind may no longer be served. */
  deletedFrom(uid: string): string | undefined;
}

/** Determines the state of an owner: looks it up in the dependent's namespace, or cluster-scoped, and compares the uid. */
function stateOfOwner(
  source: OwnerSource,
  dependent: Frozen<KubeObject>,
  reference: Frozen<OwnerReference>,
): OwnerState {
  const { group, version } = parseApiVersion(reference.apiVersion);
  const endpoint = source.registry.endpointForKind(group, version, reference.kind);
  const namespace = dependent.metadata.namespace ?? '';
  if (endpoint === undefined) return stateOfUnserved(source.deletedFrom(reference.uid), namespace);
  if (endpoint.definition.namespaced && namespace === '') return 'impossible';
  const { namespaced, storageResource } = endpoint.definition;
  const owner = source.store.get({
    resource: storageResource,
    namespace: namespaced ? namespace : '',
    name: reference.name,
  });
  if (owner === undefined || owner.object.metadata.uid !== reference.uid) return 'absent';
  return isDeletingDependents(owner.object) ? 'waiting' : 'solid';
}

function stateOfUnserved(deletedFrom: string | undefined, namespace: string): OwnerState {
  if (deletedFrom === undefined) return 'unknown';
  return deletedFrom !== '' && namespace === '' ? 'impossible' : 'absent';
}

export interface Owners {
  readonly solid: readonly Frozen<OwnerReference>[];
  readonly waiting: readonly Frozen<OwnerReference>[];
  readonly absent: readonly Frozen<OwnerReference>[];
}

/**
 * Groups the owners of an object by state. Returns 'impossible' or 'unknown' if one owner has that state, whatever the state of
 * the others.
 */
export function classifyOwners(
  source: OwnerSource,
  dependent: Frozen<KubeObject>,
): Owners | Extract<OwnerState, 'unknown' | 'impossible'> {
  const owners = {
    solid: [] as Frozen<OwnerReference>[],
    waiting: [] as Frozen<OwnerReference>[],
    absent: [] as Frozen<OwnerReference>[],
  };
  let unknown = false;
  for (const reference of referencesOf(dependent)) {
    const state = stateOfOwner(source, dependent, reference);
    if (state === 'impossible') return state;
    if (state === 'unknown') unknown = true;
    else owners[state].push(reference);
  }
  return unknown ? 'unknown' : owners;
}

export function isDeletingDependents(object: Frozen<KubeObject>): boolean {
  return hasDeletionFinalizer(object, foregroundFinalizer);
}

export function isOrphaningDependents(object: Frozen<KubeObject>): boolean {
  return hasDeletionFinalizer(object, orphanFinalizer);
}

function hasDeletionFinalizer(object: Frozen<KubeObject>, finalizer: string): boolean {
  const { deletionTimestamp, finalizers } = object.metadata;
  return (deletionTimestamp ?? '') !== '' && finalizers?.includes(finalizer) === true;
}
