import {
  type ConditionTarget,
  done,
  edit,
  ensureOwnerReference,
  isDeleting,
  type ObjectKey,
  type Outcome,
  ownerReference,
  type ReconcileContext,
  setCondition,
  wait,
} from '@slipway/runtime';
import { finalizers, labels, machinePools, reasons } from '../api/index.js';
import { clusterOf, type Phase, runPhases, writeCause } from '../reconcile/index.js';
import {
  ClusterDisconnected,
  openReconcile,
  pausedCondition,
  setV1beta1Summary,
  type V1beta1Target,
} from '../toolkit/index.js';
import { deletePool } from './delete-pool.js';
import { observeNodes, reconcileNodes } from './nodes.js';
import { changePool, machineKindOf, type ObservedPool, type PoolDependencies, type PoolScope } from './pool-scope.js';
import { poolConditions, poolCounters, poolPhase } from './pool-status.js';
import { reconcileBootstrap, reconcileInfrastructure } from './provider-objects.js';
import { syncMachines } from './sync-machines.js';

/** All condition types that this controller writes on a MachinePool, in both styles. */
const ownedConditions = [
  'Paused',
  'Available',
  'BootstrapConfigReady',
  'InfrastructureReady',
  'RollingOut',
  'ScalingUp',
  'ScalingDown',
  'MachinesReady',
  'Remediating',
  'Deleting',
  'Ready',
  'BootstrapReady',
  'ReplicasReady',
] as const;

/** Reconciles a MachinePool: a group of machines that the infrastructure provider manages as one. */
export async function reconcileMachinePool(
  key: ObjectKey,
  context: ReconcileContext,
  dependencies: PoolDependencies,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machinePools).get(key);
  if (observed === undefined) return done();
  const cluster = clusterOf(context.sources, observed);
  const opening = { finalizer: finalizers.machinePool, cluster, reportsPaused: true };
  if (!(await openReconcile(context, machinePools, observed, opening))) return done();
  const scope: PoolScope = {
    context,
    dependencies,
    cluster,
    nowMs: context.clock.now(),
    pool: observed,
    bootstrap: { type: 'failed' },
    infrastructure: { type: 'failed' },
    machines: [],
    nodes: undefined,
    blockedBy: undefined,
  };
  const outcome = await runPhases(isDeleting(observed) ? [() => deletePool(scope)] : upkeep(scope));
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  const after = withStatus(scope, failed);
  const { template, providerIDList } = after.spec;
  const copied = template !== observed.spec.template || providerIDList !== observed.spec.providerIDList;
  const body = {
    reason: 'ProviderFieldsCopied',
    message: 'Updated spec from the bootstrap and infrastructure objects',
  };
  const cause = writeCause(observed, after, { finalizer: finalizers.machinePool, ...(copied ? { body } : {}) });
  await context.change({ verb: 'patch', resource: machinePools, before: observed, after, ownedConditions, ...cause });
  return outcome;
}

function upkeep(scope: PoolScope): Phase[] {
  return [
    () => own(scope),
    () => reconcileBootstrap(scope),
    () => reconcileInfrastructure(scope),
    unlessDisconnected(() => observeNodes(scope)),
    () => syncMachines(scope),
    unlessDisconnected(() => reconcileNodes(scope)),
  ];
}

/** Returns a phase that waits on ClusterDisconnected instead of failing: the next connection to the cluster enqueues the pool. */
function unlessDisconnected(phase: Phase): Phase {
  return async () => {
    try {
      return await phase();
    } catch (error) {
      if (!(error instanceof ClusterDisconnected)) throw error;
      return wait({ reason: reasons.connectionDown, message: error.message });
    }
  };
}

function own(scope: PoolScope): Outcome {
  const { cluster } = scope;
  changePool(scope, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster !== undefined) ensureOwnerReference(metadata, ownerReference(cluster));
  });
  return done();
}

function withStatus(scope: PoolScope, failed: boolean): ObservedPool {
  const { pool, cluster, bootstrap, infrastructure, nodes, blockedBy, nowMs } = scope;
  const machines = machineKindOf(scope) === undefined ? undefined : scope.machines;
  const input = { pool, bootstrap, infrastructure, machines, nodes: nodes ?? [], blockedBy, nowMs };
  const counters = poolCounters(input);
  const conditions = poolConditions(input);
  const phase = poolPhase(pool);
  if (phase !== pool.status?.phase)
    scope.context.events.record(pool, { type: 'Normal', reason: phase, message: `MachinePool is ${phase}` });
  return edit(pool, (draft) => {
    const { generation } = draft.metadata;
    const status = (draft.status ??= {});
    // Keep the old counters if the infrastructure object could not be read.
    if (infrastructure.type === 'found') Object.assign(status, counters);
    if (nodes === undefined && machines === undefined && pool.status?.versions !== undefined)
      status.versions = [...pool.status.versions];
    status.phase = phase;
    if (!failed && generation !== undefined) status.observedGeneration = generation;
    for (const condition of [...conditions, pausedCondition(pool, cluster)])
      setCondition(draft as ConditionTarget, condition, nowMs);
    const types = ['BootstrapReady', 'InfrastructureReady', 'ReplicasReady'];
    setV1beta1Summary(draft as V1beta1Target, { types }, nowMs);
  });
}
