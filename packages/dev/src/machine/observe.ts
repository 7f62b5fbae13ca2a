import { type MachineOwners, machineOwnersOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ObjectKey, Sources } from '@slipway/runtime';
import { type DevMachine, devMachines } from '../api/index.js';

export interface ObservedDevMachine extends MachineOwners {
  readonly devMachine: Frozen<DevMachine>;
}

/** One that the Machine controller has taken over. */
export type OwnedDevMachine = { readonly [Key in keyof ObservedDevMachine]-?: NonNullable<ObservedDevMachine[Key]> };

export function observe(sources: Sources, key: ObjectKey): ObservedDevMachine | undefined {
  const devMachine = sources.sourceFor(devMachines).get(key);
  return devMachine && { devMachine, ...machineOwnersOf(sources, devMachine) };
}
