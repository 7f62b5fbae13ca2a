import { done, edit, type Outcome, removeFinalizer, wait } from '@slipway/runtime';
import { finalizers, reasons } from '../api/index.js';
import { deleteMachine } from './delete-machines.js';
import type { MachineSetPass } from './machine-set-pass.js';

/** Deletes all machines of a set that goes, at once; the set itself is let go when none is left. */
export async function deleteSet(pass: MachineSetPass): Promise<Outcome> {
  await Promise.all(pass.machines.map((machine) => deleteMachine(pass, machine)));
  const left = pass.machines.length;
  if (left > 0) return wait({ reason: reasons.deleting, message: `Deleting ${left} Machines` });
  pass.set = edit(pass.set, ({ metadata }) => removeFinalizer(metadata, finalizers.machineSet));
  return done();
}
