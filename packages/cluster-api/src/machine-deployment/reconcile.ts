import {
  done,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  openReconcile,
  type Outcome,
  patchObject,
  type ReconcileContext,
  wait,
} from '@slipway/runtime';
import { finalizers, machineDeployments } from '../api/index.js';
import { observeTemplates, ownTemplates } from '../machine-templates/index.js';
import { staleInMs } from '../machines/index.js';
import { clusterOf, type Phase, runPhases, step } from '../reconcile/index.js';
import { deleteDeployment } from './delete-deployment.js';
import type { DeploymentPass, DeploymentTools } from './deployment-pass.js';
import { observeSets } from './observe-sets.js';
import { ownDeployment } from './own-deployment.js';
import { ownedConditions, reportStatus } from './report-status.js';
import { rollOut } from './roll-out.js';

/** Keeps one MachineSet of the deployment's template, and replaces older ones step by step. */
export async function reconcileMachineDeployment(
  key: ObjectKey,
  context: ReconcileContext,
  tools: DeploymentTools,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machineDeployments).get(key);
  if (observed === undefined) return done();
  const cluster = clusterOf(context.sources, observed);
  const opening = { finalizer: finalizers.machineDeployment, cluster, reportsPaused: true };
  if (!(await openReconcile(context, machineDeployments, observed, opening))) return done();
  const pass: DeploymentPass = {
    context,
    tools,
    cluster,
    deployment: observed,
    machineSets: [],
    machines: [],
    templates: undefined,
    newMachineSet: undefined,
  };
  const outcome = await runPhases(isDeleting(observed) ? deletion(pass) : upkeep(pass));
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  const { client, signal } = context;
  await patchObject(client, machineDeployments, observed, reportStatus(pass, failed), { ownedConditions, signal });
  const stale = staleInMs(pass.machines, context.clock.now());
  if (stale === undefined) return outcome;
  return joinOutcomes([outcome, wait({ ms: stale, reason: 'Deleting', message: 'machines are in deletion' })]);
}

function upkeep(pass: DeploymentPass): Phase[] {
  return [
    step(() => ownDeployment(pass)),
    step(() => useTemplates(pass)),
    // Who does not know the sets must not act as if there were none.
    async () => {
      await observeSets(pass);
      return rollOut(pass);
    },
  ];
}

/** Nothing but the sets: deletion needs neither the Cluster nor the templates, which may be gone. */
function deletion(pass: DeploymentPass): Phase[] {
  return [
    async () => {
      await observeSets(pass);
      return deleteDeployment(pass);
    },
  ];
}

async function useTemplates(pass: DeploymentPass): Promise<void> {
  pass.templates = await observeTemplates(pass.context, machineDeployments, pass.deployment);
  if (pass.cluster !== undefined) await ownTemplates(pass.context, pass.cluster, pass.templates);
}
