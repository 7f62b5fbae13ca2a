import {
  controllerIndex,
  edit,
  ensureOwnerReference,
  FencedError,
  isDeleting,
  keyOf,
  ownerReference,
  patchObject,
} from '@slipway/runtime';
import { machines, machineSets } from '../api/index.js';
import { nameOf, orphanIndex } from '../machines/index.js';
import { type DeploymentPass, selects, tell } from './deployment-pass.js';
import type { ObservedMachineSet } from './rollout-plan.js';

/** The sets of the deployment with their machines; sets that nobody controls but that it selects become its own. */
export async function observeSets(pass: DeploymentPass): Promise<void> {
  const { deployment, context } = pass;
  const source = context.sources.sourceFor(machineSets);
  const sets = [...source.byIndex(controllerIndex, deployment.metadata.uid ?? '')];
  // A deployment that goes takes nothing with it that is not its own.
  const orphans = isDeleting(deployment)
    ? []
    : source.byIndex(orphanIndex, `${deployment.metadata.namespace ?? ''}/${deployment.spec.clusterName}`);
  for (const set of orphans) {
    const adopted = selects(deployment, set) ? await adopt(pass, set) : undefined;
    if (adopted !== undefined) sets.push(adopted);
  }
  const ofSet = context.sources.sourceFor(machines);
  pass.machineSets = sets;
  pass.machines = sets.flatMap(({ metadata }) => ofSet.byIndex(controllerIndex, metadata.uid ?? ''));
}

async function adopt(pass: DeploymentPass, set: ObservedMachineSet): Promise<ObservedMachineSet | undefined> {
  const { client, logger, signal } = pass.context;
  const reference = ownerReference(pass.deployment, { controller: true });
  try {
    const owned = edit(set, ({ metadata }) => ensureOwnerReference(metadata, reference));
    const adopted = await patchObject(client, machineSets, set, owned, { signal });
    tell(pass, 'Normal', 'SuccessfulAdopt', `Adopted MachineSet "${nameOf(set)}"`);
    return adopted;
  } catch (error) {
    if (error instanceof FencedError) throw error;
    logger.error({ MachineSet: keyOf(set), err: error }, 'Adopting machine set failed');
    tell(pass, 'Warning', 'FailedAdopt', `Failed to adopt MachineSet "${nameOf(set)}": ${String(error)}`);
    return undefined;
  }
}
