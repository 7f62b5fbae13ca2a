import { isReason } from '@slipway/kube';
import { keyOf, isDeleting } from '@slipway/runtime';
import { machines as machineResource } from '../api/index.js';
import type { ObservedMachine } from '../machines/index.js';
import type { MachineSetPass } from './machine-set-pass.js';

/** Deletes a machine of the set, that very one, and notes what is left of it. Deleting twice is deleting once. */
export async function deleteMachine(pass: MachineSetPass, machine: ObservedMachine): Promise<void> {
  if (isDeleting(machine)) return;
  const { client, signal } = pass.context;
  const uid = machine.metadata.uid;
  const options = { signal, ...(uid === undefined ? {} : { preconditions: { uid } }) };
  let left: ObservedMachine | undefined;
  try {
    left = await client.delete(machineResource, keyOf(machine), options);
  } catch (error) {
    if (!isReason(error, 'NotFound')) throw error;
  }
  pass.machines = pass.machines.flatMap((each) => {
    if (each.metadata.uid !== uid) return [each];
    return left === undefined ? [] : [left];
  });
}

export function machineNamed(pass: MachineSetPass, name: string): ObservedMachine | undefined {
  return pass.machines.find(({ metadata }) => metadata.name === name);
}

export function replaceMachine(pass: MachineSetPass, machine: ObservedMachine): void {
  pass.machines = pass.machines.map((each) => (each.metadata.uid === machine.metadata.uid ? machine : each));
}
