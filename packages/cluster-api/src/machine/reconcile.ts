import { deepEqual, type Frozen, formatTime, isTime, parseTime } from '@slipway/kube';
import {
  controllerOf,
  done,
  edit,
  ensureOwnerReference,
  isDeleting,
  joinOutcomes,
  type ObjectKey,
  type Outcome,
  ownerReference,
  patchObject,
  type ReconcileContext,
  ReconcileError,
  setCondition,
  type ConditionTarget,
  wait,
  openReconcile,
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
import type { ObservedMachine } from '../machines/index.js';
import { clusterOf, isGone, type ObservedCluster, runPhases } from '../reconcile/index.js';
import { isControlPlaneMachine } from '../machines/index.js';
import { changeMachine, type MachineScope, type MachineSettings, recordEvent, statusOf } from './machine-scope.js';
import { machineStatus, ownedConditions } from './machine-status.js';
import { reconcileInPlaceUpdate } from './in-place-update.js';
import { reconcileBootstrap } from './reconcile-bootstrap.js';
import { reconcileDelete } from './reconcile-delete.js';
import { reconcileInfrastructure } from './reconcile-infrastructure.js';
import { reconcileNode } from './reconcile-node.js';

/** One look at a machine: its bootstrap data, its infrastructure, its Node, and how it comes and goes. */
export async function reconcileMachine(
  key: ObjectKey,
  context: ReconcileContext,
  settings: MachineSettings,
): Promise<Outcome> {
  const machine = context.sources.sourceFor(machines).get(key);
  if (machine === undefined) return done();
  const cluster = clusterOf(context.sources, machine);
  if (cluster === undefined && !isDeleting(machine)) return clusterMissing(context, machine);
  const opening = { finalizer: finalizers.machine, cluster, reportsPaused: true };
  if (!(await openReconcile(context, machines, machine, opening))) return done();
  const scope = openScope(context, settings, machine, cluster);
  const outcome = await runPhases([
    () => reconcileOwnerAndLabels(scope),
    () => reconcileBootstrap(scope),
    () => reconcileInfrastructure(scope),
    () => reconcileNode(scope),
    () => reconcileCertificateExpiry(scope),
    () => comeOrGo(scope),
  ]);
  return joinOutcomes([outcome, await writeMachine(scope, outcome)]);
}

function comeOrGo(scope: MachineScope): Promise<Outcome> | Outcome {
  const { inPlaceUpdates } = scope.settings;
  if (isDeleting(scope.machine)) return reconcileDelete(scope);
  return inPlaceUpdates === undefined ? done() : reconcileInPlaceUpdate(scope, inPlaceUpdates);
}

function openScope(
  context: ReconcileContext,
  settings: MachineSettings,
  machine: ObservedMachine,
  cluster: ObservedCluster | undefined,
): MachineScope {
  const machineSet = owningSet(context, machine);
  return {
    context,
    settings,
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
  // Not by its label, which has a hash instead of a name that is too long for it.
  const owner = set === undefined ? undefined : controllerOf(set);
  if (set === undefined || owner?.kind !== machineDeployments.kind) return undefined;
  return sources.sourceFor(machineDeployments).get({ namespace: set.metadata.namespace ?? '', name: owner.name });
}

/** Nothing can be said of a machine without a cluster, except that it has none. */
async function clusterMissing(context: ReconcileContext, machine: ObservedMachine): Promise<Outcome> {
  const message = `Cluster ${machine.spec.clusterName} does not exist; create it, or delete the Machine`;
  const condition = { type: 'Ready', status: 'False', reason: reasons.objectDoesNotExist, message } as const;
  const after = edit(machine, (draft) => setCondition(draft as ConditionTarget, condition, context.clock.now()));
  const { client, signal } = context;
  if (after !== machine) await patchObject(client, machines, machine, after, { signal, ownedConditions: ['Ready'] });
  return wait({ reason: reasons.objectDoesNotExist, message });
}

/** A machine that nobody made on purpose of something else belongs to the Cluster itself, and goes with it. */
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

/** Told on the machine by those who renew certificates by hand, or else by the bootstrap provider. */
function reconcileCertificateExpiry(scope: MachineScope): Outcome {
  if (!isControlPlaneMachine(scope.machine)) return done();
  const expiry =
    scope.machine.metadata.annotations?.[annotations.certificatesExpiry] ??
    foundObject(scope.bootstrap)?.metadata.annotations?.[annotations.certificatesExpiry];
  if (expiry !== undefined && !isTime(expiry)) {
    const what = `the annotation ${annotations.certificatesExpiry} of the Machine or its bootstrap object is no time`;
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
 * First what is wanted, then how it is: what the status observes is the generation that this very look has made. It is only
 * told as observed when nothing went wrong.
 */
async function writeMachine(scope: MachineScope, outcome: Outcome): Promise<Outcome> {
  const { settings } = scope;
  const { client, signal } = scope.context;
  const { status, ...body } = scope.machine;
  const wanted: ObservedMachine = { ...body, ...(scope.stored.status && { status: scope.stored.status }) };
  const stored = await patchObject(client, machines, scope.stored, wanted, { signal });
  if (isGone(stored)) return done();
  // Somebody else has written the status since it was read: that event brings us back, to look at what they say.
  if (!deepEqual(stored.status, scope.stored.status)) return done();
  const { machine, dueMs } = machineStatus({
    ...scope,
    machine: { ...stored, ...(status && { status }) },
    health: settings.workloads.health(scope.clusterKey),
    remoteConditionsGraceMs: settings.remoteConditionsGraceMs,
  });
  const isFine = outcome.type === 'done' || outcome.type === 'wait';
  const { generation } = stored.metadata;
  const after = edit(machine, (draft) => {
    if (isFine && generation !== undefined) statusOf(draft).observedGeneration = generation;
  });
  await patchObject(client, machines, stored, after, { signal, ownedConditions });
  if (dueMs === undefined) return done();
  return wait({ ms: dueMs, reason: 'ConditionDue', message: 'a condition changes when time has passed' });
}
