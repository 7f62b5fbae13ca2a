import { type ClusterCache, ClusterDisconnected, type ObjectKey, type WorkloadClient } from '@slipway/runtime';

/**
 * The client of a workload cluster that is connected now; else throws ClusterDisconnected and lets the cache try. Nobody
 * waits for the attempt: clusters that do not answer would hold up the work on those that do. The cache tells when it is
 * there.
 */
export function connectedClient(workloads: ClusterCache, cluster: ObjectKey): WorkloadClient {
  const client = workloads.connectedClient(cluster);
  if (client !== undefined) return client;
  workloads.client(cluster).catch(() => undefined);
  const { lastError } = workloads.health(cluster);
  // What failed before may have been told in the same words.
  const why = lastError?.replace(/^cluster \S+ is not connected: /, '');
  throw new ClusterDisconnected(cluster, 'Unreachable', why ?? 'no connection has been made yet');
}
