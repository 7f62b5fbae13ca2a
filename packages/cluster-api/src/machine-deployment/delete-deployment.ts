import { done, edit, ifPresent, isDeleting, keyOf, type Outcome, removeFinalizer, wait } from '@slipway/runtime';
import { finalizers, machineSets, reasons } from '../api/index.js';
import type { DeploymentPass } from './deployment-pass.js';
import type { ObservedMachineSet } from './rollout-plan.js';

/** Deletes all sets of a deployment that goes, at once; the deployment itself is let go when none is left. */
export async function deleteDeployment(pass: DeploymentPass): Promise<Outcome> {
  const left = await Promise.all(pass.machineSets.map((set) => deleteSet(pass, set)));
  pass.machineSets = left.filter((set) => set !== undefined);
  const count = pass.machineSets.length;
  if (count > 0) return wait({ reason: reasons.deleting, message: `Deleting ${count} MachineSets` });
  pass.deployment = edit(pass.deployment, ({ metadata }) => removeFinalizer(metadata, finalizers.machineDeployment));
  return done();
}

async function deleteSet(
  { context }: DeploymentPass,
  set: ObservedMachineSet,
): Promise<ObservedMachineSet | undefined> {
  if (isDeleting(set)) return set;
  const uid = set.metadata.uid;
  const options = { signal: context.signal, ...(uid === undefined ? {} : { preconditions: { uid } }) };
  return ifPresent(context.client.delete(machineSets, keyOf(set), options));
}
