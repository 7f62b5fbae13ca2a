import {
  controllerIndex,
  edit,
  ensureOwnerReference,
  isDeleting,
  keyOf,
  ownerReference,
  patchObject,
  FencedError,
} from '@slipway/runtime';
import { machines as machineResource } from '../api/index.js';
import { nameOf, type ObservedMachine, orphanIndex } from '../machines/index.js';
import { type MachineSetPass, selectorOf, tell } from './machine-set-pass.js';

/** The machines of the set, those in deletion included; those that nobody controls but that it selects become its own. */
export async function observeMachines(pass: MachineSetPass): Promise<void> {
  const { set, context } = pass;
  const source = context.sources.sourceFor(machineResource);
  const isSelected = selectorOf(set);
  const own = source.byIndex(controllerIndex, set.metadata.uid ?? '').filter(isSelected);
  pass.machines = own;
  // A set that goes takes nothing with it that is not its own.
  if (isDeleting(set)) return;
  const orphans = source
    .byIndex(orphanIndex, `${set.metadata.namespace ?? ''}/${set.spec.clusterName}`)
    .filter(isSelected);
  const adopted: ObservedMachine[] = [];
  for (const machine of orphans) {
    const mine = await adopt(pass, machine);
    if (mine !== undefined) adopted.push(mine);
  }
  if (adopted.length > 0) pass.machines = [...own, ...adopted];
}

async function adopt(pass: MachineSetPass, machine: ObservedMachine): Promise<ObservedMachine | undefined> {
  const { set, context } = pass;
  const { client, events, logger, signal } = context;
  const reference = ownerReference(set, { controller: true });
  try {
    const owned = edit(machine, ({ metadata }) => ensureOwnerReference(metadata, reference));
    const adopted = await patchObject(client, machineResource, machine, owned, { signal });
    tell(events, set, 'Normal', 'SuccessfulAdopt', `Adopted Machine "${nameOf(machine)}"`);
    return adopted;
  } catch (error) {
    if (error instanceof FencedError) throw error;
    logger.error({ Machine: keyOf(machine), err: error }, 'Adopting machine failed');
    tell(events, set, 'Warning', 'FailedAdopt', `Failed to adopt Machine "${nameOf(machine)}": ${String(error)}`);
    return undefined;
  }
}
