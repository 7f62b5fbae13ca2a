import type { KubeObject } from '@slipway/kube';

interface LegacyNode {
  readonly cpus?: number;
  readonly memory?: string;
  readonly disk?: number | string;
  readonly dockerVolumeSizeGB?: number;
  readonly hostVolumes?: readonly { readonly mountTag: string; readonly hostPath: string }[];
}

interface LegacyId {
  readonly id: string;
}

/** A cluster of the legacy operator: the used fields of `KVMConfig` in `provider.giantswarm.io/v1alpha1`. */
export type LegacyConfig = KubeObject & {
  spec: {
    cluster: {
      id: string;
      calico?: { subnet?: string; cidr?: number };
      kubernetes?: { api?: { domain?: string; securePort?: number; clusterIPRange?: string } };
      masters?: readonly LegacyId[];
      workers?: readonly LegacyId[];
    };
    kvm?: {
      masters?: readonly LegacyNode[];
      workers?: readonly LegacyNode[];
      k8sKVM?: { storageType?: string };
      portMappings?: readonly { name?: string; nodePort: number; targetPort: number }[];
      network?: { flannel?: { vni?: number } };
    };
  };
  status?: { kvm?: { nodeIndexes?: Readonly<Record<string, number>> } };
};

/** A node of a legacy cluster: the Deployment `<role>-<id>` with one pod. */
export interface LegacyMachine {
  readonly role: 'master' | 'worker';
  readonly id: string;
  readonly deployment: string;
  readonly size: LegacyNode;
  /** Index of the node, which is part of its iSCSI initiator name. */
  readonly index: number | undefined;
}

export function legacyMachines({ spec, status }: LegacyConfig): LegacyMachine[] {
  const of = (role: LegacyMachine['role'], ids: readonly LegacyId[], sizes: readonly LegacyNode[]): LegacyMachine[] =>
    ids.map(({ id }, position) => ({
      role,
      id,
      deployment: `${role}-${id}`,
      size: sizes[position] ?? {},
      index: status?.kvm?.nodeIndexes?.[id],
    }));
  return [
    ...of('master', spec.cluster.masters ?? [], spec.kvm?.masters ?? []),
    ...of('worker', spec.cluster.workers ?? [], spec.kvm?.workers ?? []),
  ];
}
