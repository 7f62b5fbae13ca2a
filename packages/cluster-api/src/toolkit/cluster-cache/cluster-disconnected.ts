import type { ObjectKey } from '@slipway/runtime';

export type DisconnectedReason = 'NoKubeconfig' | 'InvalidKubeconfig' | 'Unreachable' | 'Unauthorized' | 'Closed';

/** Reports that the workload cluster is not reachable now. The cluster cache retries automatically and reports the connection. */
export class ClusterDisconnected extends Error {
  readonly reason: DisconnectedReason;
  readonly cluster: ObjectKey;

  constructor(cluster: ObjectKey, reason: DisconnectedReason, why: string, options?: ErrorOptions) {
    super(`cluster ${cluster.namespace}/${cluster.name} is not connected: ${why}`, options);
    this.name = 'ClusterDisconnected';
    this.cluster = cluster;
    this.reason = reason;
  }
}
