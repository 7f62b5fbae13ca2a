import { annotations, type Machine, machines, type MachineSet, machineSets } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Conditioned, isConditionTrue, type Resource } from '@slipway/runtime';
import { type MapiMachine, mapiMachines, type MapiMachineSet, mapiMachineSets } from '../../api/index.js';
import type { Authority, CapiSide, MigrationState } from './migration-plan.js';

/** A migrated kind: Machine with an infrastructure machine, or MachineSet with an infrastructure template. */
export interface MigratedKind {
  readonly kind: 'Machine' | 'MachineSet';
  readonly mapi: Resource<MapiMachine> | Resource<MapiMachineSet>;
  readonly capi: Resource<Machine> | Resource<MachineSet>;
}

export const migratedKinds: readonly MigratedKind[] = [
  { kind: 'Machine', mapi: mapiMachines, capi: machines },
  { kind: 'MachineSet', mapi: mapiMachineSets, capi: machineSets },
];

function hasPausedAnnotation({ metadata }: Frozen<KubeObject>): boolean {
  return Object.hasOwn(metadata.annotations ?? {}, annotations.paused);
}

/**
 * Returns the pause state of the Cluster API objects. Undefined while one of them is missing, because a missing object
 * cannot be paused.
 */
export function capiSide(objects: readonly (Frozen<KubeObject> | undefined)[]): CapiSide | undefined {
  const [first] = objects;
  const existing = objects.filter((object) => object !== undefined);
  if (first === undefined || existing.length < objects.length) return undefined;
  return {
    generation: first.metadata.generation ?? 0,
    hasPausedAnnotation: existing.every(hasPausedAnnotation),
    hasNoPausedAnnotation: !existing.some(hasPausedAnnotation),
    isPaused: existing.every((object) => isConditionTrue(object as Conditioned, 'Paused')),
  };
}

export function migrationState(mapi: Frozen<MapiMachine | MapiMachineSet>, capi: CapiSide | undefined): MigrationState {
  const { status, spec, metadata } = mapi;
  return {
    desired: (spec?.authoritativeAPI as Authority | undefined) ?? 'MachineAPI',
    current: (status?.authoritativeAPI as MigrationState['current'] | undefined) ?? '',
    isSynchronized: isConditionTrue(mapi as Conditioned, 'Synchronized'),
    synchronizedGeneration: status?.synchronizedGeneration ?? 0,
    mapi: { generation: metadata.generation ?? 0, isPaused: isConditionTrue(mapi as Conditioned, 'Paused') },
    capi,
  };
}
