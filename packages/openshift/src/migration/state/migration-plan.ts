/** Which of the two APIs decides about a machine. */
export type Authority = 'MachineAPI' | 'ClusterAPI';

/** One side of a machine, or of a set of them. */
export interface CapiSide {
  readonly generation: number;
  /** All of its objects (for machines: Machine and infra machine) bear the annotation. */
  readonly isToldToPause: boolean;
  /** None of them bears it. */
  readonly isToldToRun: boolean;
  /** All of them have said that they pause. */
  readonly isPaused: boolean;
}

export interface MigrationState {
  readonly wanted: Authority;
  /** '' until somebody has said it. */
  readonly current: Authority | 'Migrating' | '';
  readonly isSynchronized: boolean;
  readonly synchronizedGeneration: number;
  readonly mapi: { readonly generation: number; readonly isPaused: boolean };
  readonly capi: CapiSide | undefined;
}

export type MigrationStep =
  | { readonly type: 'done' }
  /** The first word about who decides. */
  | { readonly type: 'initialize'; readonly authority: Authority }
  | { readonly type: 'begin'; readonly source: Authority }
  | { readonly type: 'pause' | 'unpause' }
  | { readonly type: 'finish'; readonly authority: Authority }
  | { readonly type: 'wait'; readonly reason: string; readonly message: string };

/**
 * The next step of a migration. Whoever is to decide starts only when the other has said that it pauses: never do both act
 * on the same instance, and a wish that is taken back in between leads back the same way.
 */
export function planMigration(state: MigrationState): MigrationStep {
  const { wanted, current, capi } = state;
  if (current === wanted) return { type: 'done' };
  if (current === '') return { type: 'initialize', authority: wanted };
  // Only before it begins: once it says Migrating, nobody synchronizes any more, and it would wait for ever.
  if (current !== 'Migrating' && !isInStep(state)) {
    const message = `the two sides are not synchronized: ${wanted} cannot take over yet`;
    return { type: 'wait', reason: 'NotSynchronized', message };
  }
  if (current !== 'Migrating') return { type: 'begin', source: current };
  if (capi === undefined)
    return { type: 'wait', reason: 'CAPIMachineNotFound', message: 'there is no object of Cluster API of this name' };
  return wanted === 'ClusterAPI' ? toClusterApi(state.mapi.isPaused, capi) : toMachineApi(capi);
}

/** What was last copied is what the side that decides says now. */
function isInStep({ wanted, isSynchronized, synchronizedGeneration, mapi, capi }: MigrationState): boolean {
  const generation = wanted === 'ClusterAPI' ? mapi.generation : capi?.generation;
  return isSynchronized && synchronizedGeneration === generation;
}

/** Machine API pauses by itself when it sees that it does not decide any more. */
function toClusterApi(isMapiPaused: boolean, capi: CapiSide): MigrationStep {
  if (!isMapiPaused) return { type: 'wait', reason: 'WaitingForPause', message: 'Machine API has not paused yet' };
  return capi.isToldToRun ? { type: 'finish', authority: 'ClusterAPI' } : { type: 'unpause' };
}

function toMachineApi(capi: CapiSide): MigrationStep {
  if (!capi.isToldToPause) return { type: 'pause' };
  if (!capi.isPaused) return { type: 'wait', reason: 'WaitingForPause', message: 'Cluster API has not paused yet' };
  return { type: 'finish', authority: 'MachineAPI' };
}
