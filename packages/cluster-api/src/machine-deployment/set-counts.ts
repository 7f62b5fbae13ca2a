import { countsAs, isDeleting, type ObservedMachine } from '../machines/index.js';
import type { ObservedMachineSet } from './rollout-plan.js';

/** The numbers of a MachineSet that scaling is decided by. */
export interface SetCounts {
  readonly name: string;
  /** What is asked of the set. */
  readonly wanted: number;
  /** How many machines it has, those in deletion included. */
  readonly existing: number;
  readonly available: number;
}

export function countsOf(set: ObservedMachineSet): SetCounts {
  return {
    name: set.metadata.name ?? '',
    wanted: set.spec.replicas ?? 0,
    existing: set.status?.replicas ?? 0,
    available: set.status?.availableReplicas ?? 0,
  };
}

/** Status lags behind machines and the other way round; of the two the one counts that allows less. */
export function safeCountsOf(set: ObservedMachineSet, machines: readonly ObservedMachine[]): SetCounts {
  const own = machines.filter(({ metadata }) =>
    metadata.ownerReferences?.some(({ controller, uid }) => controller === true && uid === set.metadata.uid),
  );
  const counts = countsOf(set);
  const available = own.filter((machine) => countsAs(machine, 'Available') && !isDeleting(machine)).length;
  return {
    ...counts,
    existing: Math.max(counts.existing, own.length),
    available: Math.min(counts.available, available),
  };
}

export function sumOf<T>(items: readonly T[], valueOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + valueOf(item), 0);
}

/**
 * How many machines there are or may soon be: a set that grows has more than it shows, one that shrinks has not yet lost
 * what it no longer wants.
 */
export function machinesAtMost(sets: readonly SetCounts[]): number {
  return sumOf(sets, ({ wanted, existing }) => Math.max(wanted, existing));
}
