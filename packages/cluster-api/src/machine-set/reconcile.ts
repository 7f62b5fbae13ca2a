import {
  controllerOf,
  done,
  edit,
  ensureOwnerReference,
  hasFinalizer,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  ownerReference,
  type ReconcileContext,
  removeFinalizer,
  wait,
} from '@slipway/runtime';
import { finalizers, labels, machineDeployments, machineSets, reasons } from '../api/index.js';
import { observeTemplates, ownTemplates } from '../machine-templates/index.js';
import { compareNames, inBatches, nameOf, staleInMs } from '../machines/index.js';
import { clusterOf, type Phase, runPhases, step, writeCause } from '../reconcile/index.js';
import { openReconcile } from '../toolkit/index.js';
import {
  adoptMachines,
  deleteMachine,
  type MachineSetScope,
  type MachineSetDependencies,
  observeMachines,
} from './machine-set-scope.js';
import { countersRetryMs, ownedConditions, summaries, withStatus } from './machine-set-status.js';
import { checkPreflight } from './preflight.js';
import { remediateMachines } from './remediation.js';
import type { ObservedMachineSet } from './replica-planner.js';
import { syncMachines } from './sync-machines.js';
import { syncReplicas } from './sync-replicas.js';

/** Maintains spec.replicas machines of the MachineSet's template. */
export async function reconcileMachineSet(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: MachineSetDependencies,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machineSets).get(key);
  if (observed === undefined) return done();
  const rest = dependencies.pace.restMs(uidOf(observed), observed.status?.replicas ?? 0, context.clock.monotonic());
  if (rest > 0)
    return wait({ ms: rest, reason: 'Resting', message: 'Delaying the next reconcile of a large MachineSet' });
  const cluster = clusterOf(context.sources, observed);
  const opened = await openReconcile(context, machineSets, observed, {
    finalizer: finalizers.machineSet,
    cluster,
    reportsPaused: true,
  });
  if (!opened) return done();
  const scope: MachineSetScope = {
    context,
    dependencies,
    cluster,
    deployment: deploymentOf(context, observed),
    set: observed,
    machines: [],
    templates: undefined,
    preflightFailures: [],
    creationFailure: undefined,
  };
  const outcome = await runPhases(isDeleting(observed) ? deletion(scope) : upkeep(scope));
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  const after = withStatus(scope, failed);
  const cause = writeCause(observed, after, { finalizer: finalizers.machineSet });
  await context.change({
    verb: 'patch',
    resource: machineSets,
    before: observed,
    after,
    ownedConditions,
    summaries,
    ...cause,
  });
  if (!hasFinalizer(scope.set, finalizers.machineSet)) dependencies.pace.forget(uidOf(observed));
  return joinOutcomes([outcome, refresh(scope)]);
}

function uidOf({ metadata }: ObservedMachineSet): string {
  return metadata.uid ?? '';
}

function upkeep(scope: MachineSetScope): Phase[] {
  return [
    step(() => own(scope)),
    step(() => useTemplates(scope)),
    step(() => checkPreflight(scope)),
    // A single phase: if reading the machines fails, the rest must not run as if there were none.
    async () => {
      observeMachines(scope);
      await adoptMachines(scope);
      return runPhases([() => remediateMachines(scope), () => syncMachines(scope), () => syncReplicas(scope)]);
    },
  ];
}

/**
 * Returns the phases of a deletion. They read only the machines, because the Cluster and the templates may already be deleted.
 * Nothing is adopted.
 */
function deletion(scope: MachineSetScope): Phase[] {
  return [
    () => {
      observeMachines(scope);
      return deleteMachines(scope);
    },
  ];
}

async function useTemplates(scope: MachineSetScope): Promise<void> {
  scope.templates = await observeTemplates(scope.context, machineSets, scope.set);
  if (scope.cluster !== undefined) await ownTemplates(scope.context, scope.cluster, scope.templates);
}

function deploymentOf({ sources }: ReconcileContext, set: ObservedMachineSet): MachineSetScope['deployment'] {
  const owner = controllerOf(set);
  if (owner?.kind !== 'MachineDeployment') return undefined;
  return sources.sourceFor(machineDeployments).get({ namespace: set.metadata.namespace ?? '', name: owner.name });
}

/** Requeues for the changes that no event reports: a machine becomes available, or its deletion takes too long. */
function refresh({ set, machines, context }: MachineSetScope): Outcome {
  const available = isDeleting(set) ? undefined : countersRetryMs(set, machines);
  const stale = staleInMs(machines, context.clock.now());
  return joinOutcomes([
    available === undefined
      ? done()
      : wait({ ms: available, reason: 'NotReady', message: 'Waiting for all replicas to be available' }),
    stale === undefined ? done() : wait({ ms: stale, reason: 'Deleting', message: 'Machines are being deleted' }),
  ]);
}

/**
 * Sets the owner of a stand-alone MachineSet to the Cluster. Others are owned by their deployment, even if it has not adopted
 * them yet.
 */
function own(scope: MachineSetScope): void {
  const { cluster } = scope;
  scope.set = edit(scope.set, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster === undefined || labels.deploymentName in metadata.labels) return;
    const isOwned = (metadata.ownerReferences ?? []).some(({ kind }) => kind === 'MachineDeployment');
    if (!isOwned) ensureOwnerReference(metadata, ownerReference(cluster));
  });
}

/** Deletes all machines together, and removes the finalizer of the set when none is left. */
async function deleteMachines(scope: MachineSetScope): Promise<Outcome> {
  // Sort by name for a deterministic order: the cache order is arbitrary.
  const machines = [...scope.machines].sort(compareNames);
  const deleted = await inBatches(machines, 'continue', (machine) =>
    deleteMachine(scope, machine, {
      reason: 'MachineSetDeleted',
      message: `Deleted Machine ${nameOf(machine)} because MachineSet ${nameOf(scope.set)} is being deleted`,
    }),
  );
  const left = scope.machines.length;
  if (left > 0)
    return joinOutcomes([deleted, wait({ reason: reasons.deleting, message: `Deleting ${left} Machines` })]);
  scope.set = edit(scope.set, ({ metadata }) => removeFinalizer(metadata, finalizers.machineSet));
  return done();
}
