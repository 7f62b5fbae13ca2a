import type { Authority } from './migration-plan.js';

export interface SyncState {
  readonly kind: 'Machine' | 'MachineSet';
  /** The Machine API resource. Undefined if it does not exist. */
  readonly mapi: { readonly authority: Authority | 'Migrating' | ''; readonly isDeleting: boolean } | undefined;
  readonly capi: { readonly isDeleting: boolean } | undefined;
  /** Whether the MachineSet that owns the Cluster API Machine has a Machine API counterpart. */
  readonly ownerHasTwin: boolean;
}

export type SyncStep =
  | { readonly type: 'nothing' }
  | { readonly type: 'toCapi'; readonly isPaused: boolean }
  | { readonly type: 'toMapi' }
  /** Deletes both resources in an order that does not leak the instance. */
  | { readonly type: 'delete'; readonly authority: Authority }
  /** Only removes the links between the two resources. */
  | { readonly type: 'untie' };

/** Plans the synchronization from the authoritative API and the existing resources. */
export function planSync({ kind, mapi, capi, ownerHasTwin }: SyncState): SyncStep {
  if (mapi === undefined) return fromCapiOnly(kind, capi, ownerHasTwin);
  const { authority, isDeleting } = mapi;
  if (isDeleting || capi?.isDeleting === true)
    return planDeletion(kind, authority, isDeleting, capi?.isDeleting === true);
  switch (authority) {
    case 'MachineAPI':
      return { type: 'toCapi', isPaused: true };
    case 'ClusterAPI':
      // If the Machine was created in Machine API while Cluster API is authoritative, the Cluster API resource is created
      // unpaused.
      return capi === undefined ? { type: 'toCapi', isPaused: false } : { type: 'toMapi' };
    default:
      return { type: 'nothing' };
  }
}

function fromCapiOnly(kind: SyncState['kind'], capi: SyncState['capi'], ownerHasTwin: boolean): SyncStep {
  if (capi === undefined) return { type: 'nothing' };
  if (capi.isDeleting) return { type: 'untie' };
  return kind === 'Machine' && ownerHasTwin ? { type: 'toMapi' } : { type: 'nothing' };
}

/**
 * Plans a deletion. Deleting the Machine API mirror of a set keeps the set. Deleting either resource of a Machine deletes the
 * machine.
 */
function planDeletion(
  kind: SyncState['kind'],
  authority: Authority | 'Migrating' | '',
  isMapiDeleting: boolean,
  isCapiDeleting: boolean,
): SyncStep {
  // Nothing is deleted until the migration completes, because no API is authoritative to delete the instance.
  if (authority === 'Migrating' || authority === '') return { type: 'nothing' };
  const isOnlyMirror = kind === 'MachineSet' && authority === 'ClusterAPI' && isMapiDeleting && !isCapiDeleting;
  return isOnlyMirror ? { type: 'untie' } : { type: 'delete', authority };
}
