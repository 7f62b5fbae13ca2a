import type { ObservedMachine } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Node } from '@slipway/runtime';
import type { KubeadmControlPlane } from '../api/index.js';
import type { EtcdMember } from '../etcd/index.js';
import type { ControlPlaneObservation } from './control-plane-observation.js';

export type ObservedControlPlane = Frozen<KubeadmControlPlane>;

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** What a control plane does to and learns from the cluster it makes. Failures of the API are StatusErrors. */
export interface WorkloadCluster {
  /** kubeadm writes it when the first machine has come up: from then on the control plane is initialized. */
  hasKubeadmConfig(options?: CallOptions): Promise<boolean>;

  /** Looks at Nodes, static Pods and etcd. Never throws: what could not be seen is part of the observation. */
  observe(
    machines: readonly ObservedMachine[],
    options: CallOptions & { readonly isEtcdManaged: boolean },
  ): Promise<ControlPlaneObservation>;

  /** RBAC that newer versions of kubeadm expect. */
  ensurePermissions(controlPlane: ObservedControlPlane, options?: CallOptions): Promise<void>;
  /** Brings the ConfigMap `kubeadm-config` in line, so that machines that join get what the control plane says. */
  updateKubeadmConfig(controlPlane: ObservedControlPlane, options?: CallOptions): Promise<void>;
  updateKubeProxy(controlPlane: ObservedControlPlane, options?: CallOptions): Promise<void>;
  updateCoreDns(controlPlane: ObservedControlPlane, options?: CallOptions): Promise<void>;

  /** Asks members on other nodes than its own. */
  removeEtcdMember(
    member: Pick<EtcdMember, 'id' | 'name'>,
    nodes: readonly Frozen<Node>[],
    options?: CallOptions,
  ): Promise<void>;
  forwardEtcdLeadership(fromNode: string, toNode: string, options?: CallOptions): Promise<void>;

  /** When the certificate that the API server on a Node serves runs out, in milliseconds since the epoch. */
  apiServerCertificateExpiry(nodeName: string, port: number, options?: CallOptions): Promise<number>;
}
