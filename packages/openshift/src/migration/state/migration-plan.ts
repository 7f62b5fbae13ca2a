/** The API that is authoritative for a machine. */
export type Authority = 'MachineAPI' | 'ClusterAPI';

/** Cluster API resources of a machine or MachineSet. */
export interface CapiSide {
  readonly generation: number;
  /** Whether all objects (Machine and infrastructure machine) have the paused annotation. */
  readonly hasPausedAnnotation: boolean;
  /** Whether no object has the paused annotation. */
  readonly hasNoPausedAnnotation: boolean;
  /** Whether all objects report the Paused condition. */
  readonly isPaused: boolean;
}

export interface MigrationState {
  readonly desired: Authority;
  /** status.authoritativeAPI. Empty until it is initialized. */
  readonly current: Authority | 'Migrating' | '';
  readonly isSynchronized: boolean;
  readonly synchronizedGeneration: number;
  readonly mapi: { readonly generation: number; readonly isPaused: boolean };
  readonly capi: CapiSide | undefined;
}

export type MigrationStep =
  | { readonly type: 'done' }
  /** Initializes status.authoritativeAPI. */
  | { readonly type: 'initialize'; readonly authority: Authority }
  | { readonly type: 'begin'; readonly source: Authority }
  | { readonly type: 'pause' | 'unpause' }
  | { readonly type: 'finish'; readonly authority: Authority }
  | { readonly type: 'wait'; readonly reason: string; readonly message: string };

/**
 * Returns the next step of a migration. The new authoritative API is unpaused only after the other one reports that it is paused,
 * so that they never act on the same instance. A request that is reverted takes the same steps back.
 */
export function planMigration(state: MigrationState): MigrationStep {
  const { desired, current, capi } = state;
  if (current === desired) return { type: 'done' };
  if (current === '') return { type: 'initialize', authority: desired };
  // Synchronization is required only before the migration starts: it stops while Migrating, so waiting for it would never end.
  if (current !== 'Migrating' && !isInStep(state)) {
    const message = `the resources are not synchronized: ${desired} cannot become authoritative yet`;
    return { type: 'wait', reason: 'NotSynchronized', message };
  }
  if (current !== 'Migrating') return { type: 'begin', source: current };
  if (capi === undefined)
    return {
      type: 'wait',
      reason: 'CAPIMachineNotFound',
      message: 'Waiting for the Cluster API resource of the same name',
    };
  return desired === 'ClusterAPI' ? toClusterApi(state.mapi.isPaused, capi) : toMachineApi(capi);
}

/** Returns whether the last synchronized generation is the current one of the authoritative resource. */
function isInStep({ desired, isSynchronized, synchronizedGeneration, mapi, capi }: MigrationState): boolean {
  const generation = desired === 'ClusterAPI' ? mapi.generation : capi?.generation;
  return isSynchronized && synchronizedGeneration === generation;
}

/** Plans the steps towards Cluster API. Machine API pauses itself when it is no longer authoritative. */
function toClusterApi(isMapiPaused: boolean, capi: CapiSide): MigrationStep {
  if (!isMapiPaused) return { type: 'wait', reason: 'WaitingForPause', message: 'Machine API has not paused yet' };
  return capi.hasNoPausedAnnotation ? { type: 'finish', authority: 'ClusterAPI' } : { type: 'unpause' };
}

function toMachineApi(capi: CapiSide): MigrationStep {
  if (!capi.hasPausedAnnotation) return { type: 'pause' };
  if (!capi.isPaused) return { type: 'wait', reason: 'WaitingForPause', message: 'Cluster API has not paused yet' };
  return { type: 'finish', authority: 'MachineAPI' };
}
