import type { ObjectKey } from '@slipway/runtime';
import { type ClusterCache, ClusterDisconnected, type WorkloadCluster } from '../toolkit/index.js';

/**
 * The workload cluster if it is connected now; otherwise throws ClusterDisconnected and starts an attempt to connect. The
 * attempt is not awaited: clusters that do not answer would block the work on those that do. The cache wakes its listeners
 * once the cluster is connected.
 */
export function connectedCluster(workloads: ClusterCache, cluster: ObjectKey): WorkloadCluster {
  return workloads.connectedCluster(cluster) ?? disconnected(workloads, cluster);
}

function disconnected(workloads: ClusterCache, cluster: ObjectKey): never {
  workloads.cluster(cluster).catch(() => undefined);
  const { lastError } = workloads.health(cluster);
  // The last error may itself be a ClusterDisconnected with the same beginning.
  const why = lastError?.replace(/^cluster \S+ is not connected: /, '');
  throw new ClusterDisconnected(cluster, 'Unreachable', why ?? 'no connection has been made yet');
}
