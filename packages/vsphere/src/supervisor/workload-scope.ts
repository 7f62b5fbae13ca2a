import {
  type ClusterCache,
  ClusterDisconnected,
  clusters,
  connectedCluster,
  isPaused,
  markFalse,
  markTrue,
  type ObservedCluster,
  ownerClusterOf,
  type V1beta1Target,
  type WorkloadCluster,
} from '@slipway/cluster-api';
import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  type Cause,
  type ConditionTarget,
  done,
  edit,
  FencedError,
  ifPresent,
  isDeleting,
  keyOf,
  type ObjectKey,
  type Outcome,
  type ReconcileContext,
  type Resource,
  retry,
  setCondition,
  type Sources,
  type Trigger,
  wait,
} from '@slipway/runtime';
import { type SupervisorCluster, supervisorClusters } from '../api/index.js';

/** The state of one reconcile that writes into a workload cluster. */
export interface WorkloadScope {
  readonly context: ReconcileContext;
  readonly vsphereCluster: Frozen<SupervisorCluster>;
  readonly cluster: ObservedCluster;
  readonly clusterKey: ObjectKey;
}

/** Returns the scope, or undefined if the VSphereCluster is deleted, being deleted, paused or has no owner. */
export function openWorkload(key: ObjectKey, context: ReconcileContext): WorkloadScope | undefined {
  const vsphereCluster = context.sources.sourceFor(supervisorClusters).get(key);
  if (vsphereCluster === undefined || isDeleting(vsphereCluster)) return undefined;
  const cluster = ownerClusterOf(context.sources, vsphereCluster);
  if (cluster === undefined || isPaused(vsphereCluster, cluster)) return undefined;
  const clusterKey = { namespace: key.namespace, name: cluster.metadata.name ?? '' };
  return { context, vsphereCluster, cluster, clusterKey };
}

/** A condition of the VSphereCluster that only one controller writes. */
export interface OwnCondition {
  readonly type: string;
  readonly oldReason: string;
}

/**
 * Reconciles the workload cluster and reports the result in a condition of the VSphereCluster. The condition stays unchanged
 * while the workload cluster is not connected: the cluster cache triggers a reconcile once it is.
 */
export async function workIn(
  scope: WorkloadScope,
  workloads: ClusterCache,
  condition: OwnCondition,
  work: (workload: WorkloadCluster) => Promise<string | undefined>,
): Promise<Outcome> {
  try {
    const problem = await work(connectedCluster(workloads, scope.clusterKey));
    await report(scope, condition, problem);
    return problem === undefined ? done() : wait({ reason: 'NotReady', message: problem });
  } catch (error) {
    if (error instanceof ClusterDisconnected) return wait({ reason: 'ClusterDisconnected', message: error.message });
    if (error instanceof FencedError) throw error;
    const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
    await report(scope, condition, cause.message);
    return retry(cause);
  }
}

async function report(
  scope: WorkloadScope,
  { type, oldReason }: OwnCondition,
  problem: string | undefined,
): Promise<void> {
  const { context, vsphereCluster } = scope;
  const nowMs = context.clock.now();
  const after = edit(vsphereCluster, (draft) => {
    if (problem === undefined) {
      setCondition(draft as ConditionTarget, { type, status: 'True', reason: 'Ready' }, nowMs);
      markTrue(draft as V1beta1Target, type, nowMs);
    } else {
      setCondition(draft as ConditionTarget, { type, status: 'False', reason: 'NotReady', message: problem }, nowMs);
      markFalse(draft as V1beta1Target, type, { reason: oldReason, severity: 'Warning', message: problem }, nowMs);
    }
  });
  await context.change({
    verb: 'status',
    resource: supervisorClusters,
    before: vsphereCluster,
    after,
    ownedConditions: [type],
    reason: problem === undefined ? 'Ready' : 'NotReady',
    message: problem ?? `${type} is true`,
  });
}

/** Creates the object in the workload cluster, or updates it with `fill`. */
export async function ensureInWorkload<T extends KubeObject>(
  context: ReconcileContext,
  on: WorkloadCluster,
  resource: Resource<T>,
  desired: T,
  cause: Cause,
  fill?: (draft: T) => void,
): Promise<void> {
  const { signal } = context;
  const key = keyOf(desired as KubeObject);
  const existing = await ifPresent(on.read.get(resource, key, { signal }));
  if (existing === undefined) {
    try {
      await context.change({ verb: 'create', on, resource, object: desired, ...cause });
      return;
    } catch (error) {
      // Another client created the object concurrently.
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
  }
  if (fill === undefined) return;
  const before = existing ?? (await on.read.get(resource, key, { signal }));
  const after = edit(before as object, (draft) => fill(draft as T)) as Frozen<T>;
  await context.change({ verb: 'patch', on, resource, before, after, ...cause });
}

/** Enqueues a VSphereCluster when its workload cluster is connected or lost. */
export function onConnection(workloads: ClusterCache, sources: Sources): Trigger {
  return (enqueue) =>
    workloads.onChange((key) => {
      const reference = sources.sourceFor(clusters).get(key)?.spec.infrastructureRef;
      if (reference?.apiGroup === supervisorClusters.group) enqueue({ namespace: key.namespace, name: reference.name });
    });
}
