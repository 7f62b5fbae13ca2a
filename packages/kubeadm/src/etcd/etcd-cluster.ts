import type { EtcdMember, EtcdState } from './etcd-state.js';

export interface EtcdCallOptions {
  readonly signal?: AbortSignal;
}

/**
 * The etcd of a workload cluster, reached through the port of a Pod `etcd-<node>`. Node names are tried in the order given;
 * the first member that answers is asked. Every failure is an EtcdError.
 */
export interface EtcdCluster {
  state(nodeNames: readonly string[], options?: EtcdCallOptions): Promise<EtcdState>;
  /**
   * Removes a member, asking another one than itself. A member that is gone already is no failure; the last one is never
   * removed. Whether the cluster survives it is for the caller to judge, see `etcdTarget`.
   */
  removeMember(
    member: Pick<EtcdMember, 'id' | 'name'>,
    nodeNames: readonly string[],
    options?: EtcdCallOptions,
  ): Promise<void>;
  /** Hands leadership from one node's member to another's. Nothing to do when the first is not the leader. */
  forwardLeadership(fromNode: string, toNode: string, options?: EtcdCallOptions): Promise<void>;
}
