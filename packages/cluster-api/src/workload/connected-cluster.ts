import type { ObjectKey } from '@slipway/runtime';
import { type ClusterCache, ClusterDisconnected, type WorkloadCluster } from '../toolkit/index.js';

/**
 * Returns the workload cluster if it is connected now. Otherwise starts to connect and throws ClusterDisconnected. Does not wait
 * for the connection: unresponsive clusters would block the work on others. The cluster cache notifies its listeners once the
 * cluster is connected.
 */
export function connectedCluster(workloads: ClusterCache, cluster: ObjectKey): WorkloadCluster {
  return workloads.connectedCluster(cluster) ?? disconnected(workloads, cluster);
}

function disconnected(workloads: ClusterCache, cluster: ObjectKey): never {
  workloads.cluster(cluster).catch(() => undefined);
  const { lastError } = workloads.health(cluster);
  // The last error may itself be a ClusterDisconnected, with the same prefix.
  const why = lastError?.replace(/^cluster \S+ is not connected: /, '');
  throw new ClusterDisconnected(cluster, 'Unreachable', why ?? 'no connection has been established yet');
}
