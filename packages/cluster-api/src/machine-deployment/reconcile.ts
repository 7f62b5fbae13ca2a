import {
  done,
  edit,
  ensureOwnerReference,
  isDeleting,
  joinOutcomes,
  keyOf,
  type ObjectKey,
  type Outcome,
  ownerReference,
  type ReconcileContext,
  removeFinalizer,
  wait,
} from '@slipway/runtime';
import { finalizers, labels, machineDeployments, machineSets, reasons } from '../api/index.js';
import { observeTemplates, ownTemplates } from '../machine-templates/index.js';
import { nameOf, staleInMs } from '../machines/index.js';
import { clusterOf, type Phase, runPhases, step, writeCause } from '../reconcile/index.js';
import { openReconcile } from '../toolkit/index.js';
import { adoptSets, type DeploymentDependencies, type DeploymentScope, observeSets } from './deployment-scope.js';
import { ownedConditions, summaries, withStatus } from './deployment-status.js';
import { rollOut } from './roll-out.js';
import type { ObservedMachineSet } from './rollout-plan.js';

/** Maintains one MachineSet with the template of the deployment, and replaces older MachineSets step by step. */
export async function reconcileMachineDeployment(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: DeploymentDependencies,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machineDeployments).get(key);
  if (observed === undefined) return done();
  const cluster = clusterOf(context.sources, observed);
  const finalizer = finalizers.machineDeployment;
  const opening = { finalizer, cluster, reportsPaused: true };
  if (!(await openReconcile(context, machineDeployments, observed, opening))) return done();
  const scope: DeploymentScope = {
    context,
    dependencies,
    cluster,
    deployment: observed,
    machineSets: [],
    machines: [],
    templates: undefined,
    newMachineSet: undefined,
    annotated: undefined,
  };
  const outcome = await runPhases(isDeleting(observed) ? deletion(scope) : upkeep(scope));
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  const after = withStatus(scope, failed);
  const cause = writeCause(observed, after, { finalizer, body: scope.annotated });
  await context.change({
    verb: 'patch',
    resource: machineDeployments,
    before: observed,
    after,
    ownedConditions,
    summaries,
    reason: cause.reason,
    message: cause.message,
  });
  const stale = staleInMs(scope.machines, context.clock.now());
  if (stale === undefined) return outcome;
  return joinOutcomes([outcome, wait({ ms: stale, reason: 'Deleting', message: 'Machines are being deleted' })]);
}

function upkeep(scope: DeploymentScope): Phase[] {
  return [
    step(() => own(scope)),
    step(() => useTemplates(scope)),
    // A single phase: if reading the MachineSets fails, the rollout must not run as if there were none.
    async () => {
      observeSets(scope);
      await adoptSets(scope);
      return rollOut(scope);
    },
  ];
}

/**
 * Returns the phases of a deletion. They read only the MachineSets, because the Cluster and the templates may already be deleted.
 * Nothing is adopted.
 */
function deletion(scope: DeploymentScope): Phase[] {
  return [
    () => {
      observeSets(scope);
      return deleteSets(scope);
    },
  ];
}

/** Sets the Cluster as owner of the deployment. */
function own(scope: DeploymentScope): void {
  const { cluster } = scope;
  scope.deployment = edit(scope.deployment, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster !== undefined) ensureOwnerReference(metadata, ownerReference(cluster));
  });
}

async function useTemplates(scope: DeploymentScope): Promise<void> {
  scope.templates = await observeTemplates(scope.context, machineDeployments, scope.deployment);
  if (scope.cluster !== undefined) await ownTemplates(scope.context, scope.cluster, scope.templates);
}

/** Deletes all MachineSets together, and removes the finalizer when none is left. */
async function deleteSets(scope: DeploymentScope): Promise<Outcome> {
  const left = await Promise.all(scope.machineSets.map((set) => deleteSet(scope, set)));
  scope.machineSets = left.filter((set) => set !== undefined);
  const count = scope.machineSets.length;
  if (count > 0) return wait({ reason: reasons.deleting, message: `Deleting ${count} MachineSets` });
  scope.deployment = edit(scope.deployment, ({ metadata }) => removeFinalizer(metadata, finalizers.machineDeployment));
  return done();
}

async function deleteSet(
  { context, deployment }: DeploymentScope,
  set: ObservedMachineSet,
): Promise<ObservedMachineSet | undefined> {
  if (isDeleting(set)) return set;
  const { uid } = set.metadata;
  return context.change({
    verb: 'delete',
    resource: machineSets,
    key: keyOf(set),
    options: uid === undefined ? {} : { preconditions: { uid } },
    reason: 'MachineDeploymentDeleted',
    message: `Deleted MachineSet ${nameOf(set)} because MachineDeployment ${nameOf(deployment)} is being deleted`,
  });
}
