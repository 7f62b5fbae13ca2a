import { deepEqual, formatTime, type Frozen, isTime, parseTime } from '@slipway/kube';
import {
  type Cause,
  type ConditionTarget,
  controllerOf,
  done,
  edit,
  ensureOwnerReference,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  ownerReference,
  type ReconcileContext,
  ReconcileError,
  setCondition,
  wait,
} from '@slipway/runtime';
import {
  annotations,
  finalizers,
  labels,
  type MachineDeployment,
  machineDeployments,
  machines,
  type MachineSet,
  machineSets,
  reasons,
} from '../api/index.js';
import { foundObject } from '../contract/index.js';
import { isControlPlaneMachine, type ObservedMachine } from '../machines/index.js';
import { clusterOf, isGone, type ObservedCluster, runPhases, writeCause } from '../reconcile/index.js';
import { openReconcile } from '../toolkit/index.js';
import { reconcileInPlaceUpdate } from './in-place-update.js';
import { changeMachine, type MachineDependencies, type MachineScope, recordEvent, statusOf } from './machine-scope.js';
import { machineStatus, ownedConditions, summaries } from './machine-status.js';
import { reconcileBootstrap, reconcileInfrastructure } from './provider-objects.js';
import { reconcileDelete } from './reconcile-delete.js';
import { reconcileNode } from './reconcile-node.js';

/** Reconciles the bootstrap data, infrastructure and Node of a machine, its deletion and its in-place update. */
export async function reconcileMachine(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: MachineDependencies,
): Promise<Outcome> {
  const machine = context.sources.sourceFor(machines).get(key);
  if (machine === undefined) return done();
  const cluster = clusterOf(context.sources, machine);
  if (cluster === undefined && !isDeleting(machine)) return clusterMissing(context, machine);
  const opening = { finalizer: finalizers.machine, cluster, reportsPaused: true };
  if (!(await openReconcile(context, machines, machine, opening))) return done();
  const scope = openScope(context, dependencies, machine, cluster);
  const outcome = await runPhases([
    () => reconcileOwnerAndLabels(scope),
    () => reconcileBootstrap(scope),
    () => reconcileInfrastructure(scope),
    () => reconcileNode(scope),
    () => reconcileCertificateExpiry(scope),
    () => deleteOrUpdate(scope),
  ]);
  return joinOutcomes([outcome, await writeMachine(scope, outcome)]);
}

function deleteOrUpdate(scope: MachineScope): Promise<Outcome> | Outcome {
  const { inPlaceUpdates } = scope.dependencies;
  if (isDeleting(scope.machine)) return reconcileDelete(scope);
  return inPlaceUpdates === undefined ? done() : reconcileInPlaceUpdate(scope, inPlaceUpdates);
}

function openScope(
  context: ReconcileContext,
  dependencies: MachineDependencies,
  machine: ObservedMachine,
  cluster: ObservedCluster | undefined,
): MachineScope {
  const machineSet = owningSet(context, machine);
  return {
    context,
    dependencies,
    cluster,
    clusterKey: { namespace: machine.metadata.namespace ?? '', name: machine.spec.clusterName },
    machineSet,
    machineDeployment: owningDeployment(context, machineSet),
    nowMs: context.clock.now(),
    stored: machine,
    machine,
    bootstrap: { type: 'failed' },
    infrastructure: { type: 'failed' },
    node: { type: 'missing' },
    deleting: { reason: reasons.deleting, message: 'Deletion started' },
  };
}

function owningSet({ sources }: ReconcileContext, machine: ObservedMachine): Frozen<MachineSet> | undefined {
  const owner = controllerOf(machine);
  if (owner?.kind !== machineSets.kind) return undefined;
  return sources.sourceFor(machineSets).get({ namespace: machine.metadata.namespace ?? '', name: owner.name });
}

function owningDeployment(
  { sources }: ReconcileContext,
  set: Frozen<MachineSet> | undefined,
): Frozen<MachineDeployment> | undefined {
  // Read the owner reference instead of the label, which contains a hash if the name is too long.
  const owner = set === undefined ? undefined : controllerOf(set);
  if (set === undefined || owner?.kind !== machineDeployments.kind) return undefined;
  return sources.sourceFor(machineDeployments).get({ namespace: set.metadata.namespace ?? '', name: owner.name });
}

/** Reports that the Cluster does not exist. Nothing else about the Machine can be determined without it. */
async function clusterMissing(context: ReconcileContext, machine: ObservedMachine): Promise<Outcome> {
  const message = `Cluster ${machine.spec.clusterName} does not exist; create it, or delete the Machine`;
  const condition = { type: 'Ready', status: 'False', reason: reasons.objectDoesNotExist, message } as const;
  const after = edit(machine, (draft) => setCondition(draft as ConditionTarget, condition, context.clock.now()));
  const cause = { reason: reasons.objectDoesNotExist, message };
  await context.change({
    verb: 'status',
    resource: machines,
    before: machine,
    after,
    ownedConditions: ['Ready'],
    ...cause,
  });
  return wait(cause);
}

/**
 * Sets the Cluster as owner of a stand-alone Machine, so that it is deleted with the Cluster, and sets the cluster name label.
 */
function reconcileOwnerAndLabels(scope: MachineScope): Outcome {
  const { cluster, machine } = scope;
  const madeBy = [labels.setName, labels.poolName, labels.controlPlaneName];
  const isAlone =
    controllerOf(machine) === undefined && !madeBy.some((label) => Object.hasOwn(machine.metadata.labels ?? {}, label));
  changeMachine(scope, ({ metadata, spec }) => {
    if (isAlone && cluster !== undefined) ensureOwnerReference(metadata, ownerReference(cluster));
    if (metadata.labels?.[labels.clusterName] !== spec.clusterName)
      metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
  });
  return done();
}

/** Sets certificatesExpiryDate from an annotation on the Machine (certificates renewed manually) or on its bootstrap object. */
function reconcileCertificateExpiry(scope: MachineScope): Outcome {
  if (!isControlPlaneMachine(scope.machine)) return done();
  const expiry =
    scope.machine.metadata.annotations?.[annotations.certificatesExpiry] ??
    foundObject(scope.bootstrap)?.metadata.annotations?.[annotations.certificatesExpiry];
  if (expiry !== undefined && !isTime(expiry)) {
    const what = `the annotation ${annotations.certificatesExpiry} of the Machine or its bootstrap object is not a valid time`;
    const remedy = 'set it to a time such as 2026-01-02T15:04:05Z';
    recordEvent(scope, { type: 'Warning', reason: 'InvalidCertificatesExpiry', message: `${what}; ${remedy}` });
    throw new ReconcileError('InvalidCertificatesExpiry', what, { retry: 'later', remedy });
  }
  changeMachine(scope, (draft) => {
    const status = statusOf(draft);
    if (expiry === undefined) delete status.certificatesExpiryDate;
    else status.certificatesExpiryDate = formatTime(parseTime(expiry));
  });
  return done();
}

/**
 * Writes metadata and spec first, then the status, so that the status observes the generation that this reconcile created.
 * observedGeneration is updated only if nothing failed.
 */
async function writeMachine(scope: MachineScope, outcome: Outcome): Promise<Outcome> {
  const { context, dependencies } = scope;
  const { status, ...body } = scope.machine;
  const desired: ObservedMachine = { ...body, ...(scope.stored.status && { status: scope.stored.status }) };
  const cause = writeCause(scope.stored, desired, {
    finalizer: finalizers.machine,
    body: bodyCause(scope.stored, desired),
  });
  const stored = await context.change({
    verb: 'patch',
    resource: machines,
    before: scope.stored,
    after: desired,
    ...cause,
  });
  if (isGone(stored)) return done();
  // Another writer has changed the status since it was read. That change triggers the next reconcile.
  if (!deepEqual(stored.status, scope.stored.status)) return done();
  const { machine, dueMs } = machineStatus({
    ...scope,
    machine: { ...stored, ...(status && { status }) },
    health: dependencies.workloads.health(scope.clusterKey),
    remoteConditionsGraceMs: dependencies.remoteConditionsGraceMs,
  });
  const isFine = outcome.type === 'done' || outcome.type === 'wait';
  const { generation } = stored.metadata;
  const after = edit(machine, (draft) => {
    if (isFine && generation !== undefined) statusOf(draft).observedGeneration = generation;
  });
  await context.change({
    verb: 'status',
    resource: machines,
    before: stored,
    after,
    ownedConditions,
    summaries,
    reason: 'StatusUpdated',
    message: 'Updated status',
  });
  if (dueMs === undefined) return done();
  return wait({ ms: dueMs, reason: 'ConditionDue', message: 'Waiting for a condition that changes with time' });
}

/**
 * Returns the reason for a change of metadata or spec. Only provider objects change the spec, and only the end of an in-place
 * update changes annotations.
 */
function bodyCause(before: ObservedMachine, after: ObservedMachine): Cause | undefined {
  if (before.spec !== after.spec)
    return { reason: 'ProviderFieldsCopied', message: 'Copied fields of the provider objects into spec' };
  if (before.metadata.annotations !== after.metadata.annotations)
    return { reason: 'InPlaceUpdateFinished', message: 'Removed the in-place update annotation' };
  return undefined;
}
