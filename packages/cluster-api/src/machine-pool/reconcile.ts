import {
  ClusterDisconnected,
  type ConditionTarget,
  done,
  edit,
  ensureOwnerReference,
  isDeleting,
  type ObjectKey,
  type Outcome,
  ownerReference,
  patchObject,
  pausedCondition,
  type ReconcileContext,
  setCondition,
  setV1beta1Summary,
  type V1beta1Target,
  wait,
  openReconcile,
} from '@slipway/runtime';
import { finalizers, labels, machinePools, reasons } from '../api/index.js';
import { clusterOf, type Phase, runPhases } from '../reconcile/index.js';
import { deletePool } from './delete-pool.js';
import { observeNodes } from './observe-nodes.js';
import { changePool, machineKindOf, type ObservedPool, type PoolPass, type PoolTools } from './pool-pass.js';
import { poolPhase } from './pool-phase.js';
import { poolConditions, poolCounters } from './pool-status.js';
import { reconcileBootstrap } from './reconcile-bootstrap.js';
import { reconcileInfrastructure } from './reconcile-infrastructure.js';
import { reconcileNodes } from './reconcile-nodes.js';
import { syncMachines } from './sync-machines.js';

/** All types that this controller writes on a MachinePool, of both styles. */
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

/** Follows a group of machines that the infrastructure provider keeps as one. */
export async function reconcileMachinePool(
  key: ObjectKey,
  context: ReconcileContext,
  tools: PoolTools,
): Promise<Outcome> {
  const observed = context.sources.sourceFor(machinePools).get(key);
  if (observed === undefined) return done();
  const cluster = clusterOf(context.sources, observed);
  const opening = { finalizer: finalizers.machinePool, cluster, reportsPaused: true };
  if (!(await openReconcile(context, machinePools, observed, opening))) return done();
  const pass: PoolPass = {
    context,
    tools,
    cluster,
    nowMs: context.clock.now(),
    pool: observed,
    bootstrap: { type: 'failed' },
    infrastructure: { type: 'failed' },
    machines: [],
    nodes: undefined,
    blockedBy: undefined,
  };
  const outcome = await runPhases(isDeleting(observed) ? [() => deletePool(pass)] : upkeep(pass));
  const failed = outcome.type === 'retry' || outcome.type === 'terminal';
  const { client, signal } = context;
  await patchObject(client, machinePools, observed, reported(pass, failed), { ownedConditions, signal });
  return outcome;
}

function upkeep(pass: PoolPass): Phase[] {
  return [
    () => own(pass),
    () => reconcileBootstrap(pass),
    () => reconcileInfrastructure(pass),
    unlessDisconnected(() => observeNodes(pass)),
    () => syncMachines(pass),
    unlessDisconnected(() => reconcileNodes(pass)),
  ];
}

/** A cluster that does not answer is no failure of the pool: the cache tells when it is back. */
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

function own(pass: PoolPass): Outcome {
  const { cluster } = pass;
  changePool(pass, ({ metadata, spec }) => {
    metadata.labels = { ...metadata.labels, [labels.clusterName]: spec.clusterName };
    if (cluster !== undefined) ensureOwnerReference(metadata, ownerReference(cluster));
  });
  return done();
}

function reported(pass: PoolPass, failed: boolean): ObservedPool {
  const { pool, cluster, bootstrap, infrastructure, nodes, blockedBy, nowMs } = pass;
  const machines = machineKindOf(pass) === undefined ? undefined : pass.machines;
  const input = { pool, bootstrap, infrastructure, machines, nodes: nodes ?? [], blockedBy, nowMs };
  const counters = poolCounters(input);
  const conditions = poolConditions(input);
  const phase = poolPhase(pool);
  if (phase !== pool.status?.phase)
    pass.context.events.record(pool, { type: 'Normal', reason: phase, message: `MachinePool is ${phase}` });
  return edit(pool, (draft) => {
    const { generation } = draft.metadata;
    const status = (draft.status ??= {});
    // Without its object nothing is known that was not known before.
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
