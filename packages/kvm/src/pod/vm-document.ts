import type { Frozen } from '@slipway/kube';
import type { KVMCluster, KVMMachine } from '../api/index.js';
import type { DesiredMachine } from '../machine/vm-service.js';

type ClusterSpec = NonNullable<Frozen<KVMCluster>['spec']>;

/** Specification of the virtual machine for the launcher. It contains no secrets: bootstrap data is in a Secret. */
export interface VmDocument {
  readonly uuid: string;
  readonly name: string;
  readonly clusterName: string;
  readonly isControlPlane: boolean;
  readonly failureDomain?: string;
  readonly spec: NonNullable<Frozen<KVMMachine>['spec']>;
  /** Settings from the KVMCluster. */
  readonly cluster: Pick<ClusterSpec, 'network' | 'ntpServers' | 'dockerNetwork' | 'controlPlaneEndpoint'>;
}

export function vmDocumentOf({ uuid, kvmMachine, kvmCluster, machine, isControlPlane }: DesiredMachine): VmDocument {
  const { network, ntpServers, dockerNetwork, controlPlaneEndpoint } = kvmCluster.spec ?? {};
  const failureDomain = machine.spec.failureDomain ?? kvmMachine.spec?.failureDomain;
  return {
    uuid,
    name: kvmMachine.metadata.name ?? '',
    clusterName: machine.spec.clusterName,
    isControlPlane,
    ...(failureDomain !== undefined && { failureDomain }),
    spec: kvmMachine.spec ?? {},
    cluster: {
      ...(network && { network }),
      ...(ntpServers && { ntpServers }),
      ...(dockerNetwork && { dockerNetwork }),
      ...(controlPlaneEndpoint && { controlPlaneEndpoint }),
    },
  };
}
