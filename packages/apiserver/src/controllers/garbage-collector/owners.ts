import { type Frozen, type KubeObject, type OwnerReference, parseApiVersion } from '@slipway/kube';
import type { Registry, Store } from '../../contract/index.js';
import { referencesOf } from './owner-index.js';

export const foregroundFinalizer = 'foregroundDeletion';
export const orphanFinalizer = 'orphan';

export type OwnerState =
  /** There, and staying as far as anybody knows. */
  | 'solid'
  /** There, but being deleted in the foreground: it waits for its dependents to go. */
  | 'waiting'
  | 'absent'
  /** Its kind is not served: it may be there or not, nobody can tell. */
  | 'unknown'
  /** A namespaced owner of a cluster-scoped object: there is no namespace to look in, ever. */
  | 'impossible';

export interface OwnerSource {
  readonly registry: Registry;
  readonly store: Store;
  /** The namespace of an owner whose deletion was seen: it never comes back, and its kind may be gone by now as well. */
  goneFrom(uid: string): string | undefined;
}

/** Looks the owner up where it must be, in the dependent's namespace or in none, and compares the uid. */
function stateOfOwner(
  source: OwnerSource,
  dependent: Frozen<KubeObject>,
  reference: Frozen<OwnerReference>,
): OwnerState {
  const { group, version } = parseApiVersion(reference.apiVersion);
  const endpoint = source.registry.endpointForKind(group, version, reference.kind);
  const namespace = dependent.metadata.namespace ?? '';
  if (endpoint === undefined) return stateOfUnserved(source.goneFrom(reference.uid), namespace);
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

function stateOfUnserved(goneFrom: string | undefined, namespace: string): OwnerState {
  if (goneFrom === undefined) return 'unknown';
  return goneFrom !== '' && namespace === '' ? 'impossible' : 'absent';
}

export interface Owners {
  readonly solid: readonly Frozen<OwnerReference>[];
  readonly waiting: readonly Frozen<OwnerReference>[];
  readonly absent: readonly Frozen<OwnerReference>[];
}

/** Undecided when one of them cannot be judged: then nothing may be concluded from the others. */
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
