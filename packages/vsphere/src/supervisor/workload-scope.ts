import { clusters, connectedClient, type ObservedCluster, ownerClusterOf } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type ClusterCache,
  ClusterDisconnected,
  type ConditionTarget,
  done,
  edit,
  FencedError,
  isDeleting,
  isPaused,
  markFalse,
  markTrue,
  type ObjectKey,
  type Outcome,
  patchObject,
  type ReconcileContext,
  retry,
  setCondition,
  type Sources,
  type Trigger,
  type V1beta1Target,
  wait,
  type WorkloadClient,
} from '@slipway/runtime';
import { type SupervisorCluster, supervisorClusters } from '../api/index.js';

/** What controllers that write into workload clusters have in hand. */
export interface WorkloadScope {
  readonly context: ReconcileContext;
  readonly vsphereCluster: Frozen<SupervisorCluster>;
  readonly cluster: ObservedCluster;
  readonly clusterKey: ObjectKey;
}

/** The cluster to work for; undefined when it is gone, going, paused or nobody's. */
export function openWorkload(key: ObjectKey, context: ReconcileContext): WorkloadScope | undefined {
  const vsphereCluster = context.sources.sourceFor(supervisorClusters).get(key);
  if (vsphereCluster === undefined || isDeleting(vsphereCluster)) return undefined;
  const cluster = ownerClusterOf(context.sources, vsphereCluster);
  if (cluster === undefined || isPaused(vsphereCluster, cluster)) return undefined;
  const clusterKey = { namespace: key.namespace, name: cluster.metadata.name ?? '' };
  return { context, vsphereCluster, cluster, clusterKey };
}

/** A condition of the VSphereCluster that one controller writes, and no other. */
export interface OwnCondition {
  readonly type: string;
  readonly oldReason: string;
}

/**
 * Does the work in the workload cluster, and says on the VSphereCluster how that went. While the cluster is not connected
 * nothing is told: the cache says when it is.
 */
export async function workIn(
  scope: WorkloadScope,
  workloads: ClusterCache,
  condition: OwnCondition,
  work: (client: WorkloadClient) => Promise<string | undefined>,
): Promise<Outcome> {
  try {
    const problem = await work(connectedClient(workloads, scope.clusterKey));
    await tell(scope, condition, problem);
    return problem === undefined ? done() : wait({ reason: 'NotReady', message: problem });
  } catch (error) {
    if (error instanceof ClusterDisconnected) return wait({ reason: 'ClusterDisconnected', message: error.message });
    if (error instanceof FencedError) throw error;
    const cause = error instanceof Error ? error : new Error(String(error), { cause: error });
    await tell(scope, condition, cause.message);
    return retry(cause);
  }
}

async function tell(
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
  const { client, signal } = context;
  await patchObject(client, supervisorClusters, vsphereCluster, after, { ownedConditions: [type], signal });
}

/** Looks again at a VSphereCluster when its workload cluster is connected or lost. */
export function onConnection(workloads: ClusterCache, sources: Sources): Trigger {
  return (enqueue) =>
    workloads.onChange((key) => {
      const reference = sources.sourceFor(clusters).get(key)?.spec.infrastructureRef;
      if (reference?.apiGroup === supervisorClusters.group) enqueue({ namespace: key.namespace, name: reference.name });
    });
}
