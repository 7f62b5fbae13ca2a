import type { ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import {
  type Node,
  type Pod,
  ReconcileError,
  type ReconcileErrorOptions,
  type RemoteCluster,
  type Writer,
} from '@slipway/runtime';
import type { KubeadmControlPlane } from '../api/index.js';
import type { EtcdCallOptions, EtcdMember, EtcdState } from '../etcd/index.js';

export type ObservedControlPlane = Frozen<KubeadmControlPlane>;

/**
 * The operations of a control plane in its workload cluster. Objects there are written through the executor of the reconcile. API
 * failures are StatusErrors.
 */
export interface ControlPlaneWorkload {
  /**
   * Returns whether kubeadm has written its ConfigMap. It does so on the first machine, so the ConfigMap shows that the
   * control plane is initialized.
   */
  hasKubeadmConfig(): Promise<boolean>;

  /** Reads Nodes, static Pods and etcd. Rejects only on abort: read failures are part of the observation. */
  observe(
    machines: readonly ObservedMachine[],
    options: { readonly isEtcdManaged: boolean },
  ): Promise<ControlPlaneObservation>;

  /** Creates the RBAC that newer versions of kubeadm expect. */
  ensurePermissions(controlPlane: ObservedControlPlane): Promise<void>;
  /** Updates the ConfigMap `kubeadm-config`, so that joining machines use the configuration of the control plane. */
  updateKubeadmConfig(controlPlane: ObservedControlPlane): Promise<void>;
  updateKubeProxy(controlPlane: ObservedControlPlane): Promise<void>;
  updateCoreDns(controlPlane: ObservedControlPlane): Promise<void>;

  /** Removes an etcd member by a call to a member on another Node. Only for use in a `call` change. */
  removeEtcdMember(
    member: Pick<EtcdMember, 'id' | 'name'>,
    nodes: readonly Frozen<Node>[],
    options?: EtcdCallOptions,
  ): Promise<void>;
  /** Moves etcd leadership to the member of another Node. Only for use in a `call` change. */
  forwardEtcdLeadership(fromNode: string, toNode: string, options?: EtcdCallOptions): Promise<void>;

  /** Returns when the certificate of the API server on a Node expires, in milliseconds since the epoch. */
  apiServerCertificateExpiry(nodeName: string, port: number): Promise<number>;
}

/** The state of one reconcile's maintenance of a workload cluster. */
export interface UpkeepScope {
  readonly workload: RemoteCluster;
  /** Applies the changes in the workload cluster. */
  readonly writer: Pick<Writer, 'change' | 'changeAll'>;
  readonly signal?: AbortSignal;
}

/** A static Pod: present, absent, or not readable. */
export type PodObservation = { readonly pod: Frozen<Pod> } | { readonly absent: true } | { readonly failure: string };

/** The state that etcd reported, or the call that failed. */
export type EtcdObservation =
  | { readonly state: EtcdState }
  | { readonly failed: 'connect' | 'members' | 'alarms'; readonly message: string };

/** The observed state of a control plane in its own cluster. */
export interface ControlPlaneObservation {
  /** Why Nodes could not be listed. If set, nothing else was read. */
  readonly nodesFailure?: string;
  /** Nodes by name: all Nodes with the control plane label, and those of Machines that lack the label. */
  readonly nodes: ReadonlyMap<string, Frozen<Node>>;
  /** Names of the Nodes that have the control plane label. */
  readonly labelledNodes: readonly string[];
  /** Static Pods by name, only for Machines whose Node is reachable. */
  readonly pods: ReadonlyMap<string, PodObservation>;
  /** Absent for an external etcd, and while no Machine has a Node. */
  readonly etcd?: EtcdObservation;
}

/**
 * - `KubeadmConfigUnreadable`: the ConfigMap does not have kubeadm's format
 * - `ImageUnreadable`: the image of an add-on cannot be parsed
 * - `CoreDnsNotMigratable`: the Corefile cannot be migrated from one version to the other
 * - `CertificateUnreadable`: the API server of a machine did not present the certificate that kubeadm creates
 */
export type WorkloadReason =
  | 'KubeadmConfigUnreadable'
  | 'ImageUnreadable'
  | 'CoreDnsNotMigratable'
  | 'CertificateUnreadable';

export class WorkloadError extends ReconcileError<WorkloadReason> {
  constructor(reason: WorkloadReason, message: string, options: Partial<ReconcileErrorOptions> = {}) {
    super(reason, message, { retry: 'later', ...options });
    this.name = 'WorkloadError';
  }
}
