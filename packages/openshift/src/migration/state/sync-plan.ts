import type { Authority } from './migration-plan.js';

export interface SyncState {
  readonly kind: 'Machine' | 'MachineSet';
  /** Undefined when there is no such object in Machine API. */
  readonly mapi: { readonly authority: Authority | 'Migrating' | ''; readonly isDeleting: boolean } | undefined;
  readonly capi: { readonly isDeleting: boolean } | undefined;
  /** The set that owns the Machine of Cluster API has a twin in Machine API. */
  readonly ownerHasTwin: boolean;
}

export type SyncStep =
  | { readonly type: 'nothing' }
  | { readonly type: 'toCapi'; readonly isPaused: boolean }
  | { readonly type: 'toMapi' }
  /** Deletes what is left of both, in the order in which no instance is forgotten. */
  | { readonly type: 'delete'; readonly authority: Authority }
  /** Only takes off what ties the one to the other. */
  | { readonly type: 'untie' };

/** Which way is copied, by who decides and what is there. */
export function planSync({ kind, mapi, capi, ownerHasTwin }: SyncState): SyncStep {
  if (mapi === undefined) return fromCapiOnly(kind, capi, ownerHasTwin);
  const { authority, isDeleting } = mapi;
  if (isDeleting || capi?.isDeleting === true)
    return planDeletion(kind, authority, isDeleting, capi?.isDeleting === true);
  switch (authority) {
    case 'MachineAPI':
      return { type: 'toCapi', isPaused: true };
    case 'ClusterAPI':
      // Made in Machine API for Cluster API to decide about: then it starts at once.
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

/** Users give up Machine API by deleting its mirror of a set; a Machine is one machine, whichever side is deleted. */
function planDeletion(
  kind: SyncState['kind'],
  authority: Authority | 'Migrating' | '',
  isMapiDeleting: boolean,
  isCapiDeleting: boolean,
): SyncStep {
  // Who ends the instance is not known while it is handed over: that comes to its end first.
  if (authority === 'Migrating' || authority === '') return { type: 'nothing' };
  const isOnlyMirror = kind === 'MachineSet' && authority === 'ClusterAPI' && isMapiDeleting && !isCapiDeleting;
  return isOnlyMirror ? { type: 'untie' } : { type: 'delete', authority };
}
