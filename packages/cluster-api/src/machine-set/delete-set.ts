import { done, edit, joinOutcomes, type Outcome, removeFinalizer, wait } from '@slipway/runtime';
import { finalizers, reasons } from '../api/index.js';
import { compareNames, inBatches } from '../machines/index.js';
import { deleteMachine } from './delete-machines.js';
import type { MachineSetPass } from './machine-set-pass.js';

/** Deletes all machines of a set that goes, at once; the set itself is let go when none is left. */
export async function deleteSet(pass: MachineSetPass): Promise<Outcome> {
  // By name, so that what is to come can be told: the cache has them in the order in which it learned of them.
  const machines = [...pass.machines].sort(compareNames);
  const deleted = await inBatches(machines, 'continue', (machine) => deleteMachine(pass, machine));
  const left = pass.machines.length;
  if (left > 0)
    return joinOutcomes([deleted, wait({ reason: reasons.deleting, message: `Deleting ${left} Machines` })]);
  pass.set = edit(pass.set, ({ metadata }) => removeFinalizer(metadata, finalizers.machineSet));
  return done();
}
