import { labels as clusterLabels } from '@slipway/cluster-api';
import { kvmLabels } from '../api/index.js';

/** Field manager of server-side apply. */
export const podFieldManager = 'slipway-kvm';

/** Readiness gate that removes a worker from the endpoints of Services while its Node is not ready. */
export const nodeReadyGate = 'infrastructure.cluster.x-k8s.io/workload-node-ready';

const roleLabel = 'infrastructure.cluster.x-k8s.io/role';

export interface MachineLabels {
  readonly clusterName: string;
  readonly uuid: string;
  readonly isControlPlane: boolean;
}

/**
 * Returns the labels of a machine's objects. The objects have no owner reference: a move deletes the KVMMachine in the source
 * cluster, and the garbage collector would then delete the running machine.
 */
export function machineLabels({ clusterName, uuid, isControlPlane }: MachineLabels): Record<string, string> {
  return {
    [clusterLabels.clusterName]: clusterName,
    ...(isControlPlane && { [clusterLabels.controlPlane]: '' }),
    [roleLabel]: isControlPlane ? 'control-plane' : 'worker',
    [kvmLabels.machineUuid]: uuid,
  };
}

/**
 * Returns the names of a machine's objects. Its pod, like its Node, has the name of the machine; the other objects have a suffix.
 */
export function objectNames(machine: string): {
  readonly pod: string;
  readonly document: string;
  readonly bootstrap: string;
  readonly disks: string;
  readonly etcd: string;
} {
  return {
    pod: machine,
    document: `${machine}-vm`,
    bootstrap: `${machine}-vm-bootstrap`,
    disks: `${machine}-disks`,
    etcd: `${machine}-etcd`,
  };
}

/** Annotation of an adopted KVMMachine with the name of its legacy Deployment. */
export const adoptedDeploymentAnnotation = 'infrastructure.cluster.x-k8s.io/adopted-deployment';
