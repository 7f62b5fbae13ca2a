import type { ObjectKey } from '../client/index.js';

export type DisconnectedReason = 'NoKubeconfig' | 'InvalidKubeconfig' | 'Unreachable' | 'Unauthorized' | 'Closed';

/** A workload cluster cannot be asked now. Wait for the cache to say that it is back; it tries by itself. */
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
