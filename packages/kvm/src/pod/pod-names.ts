import { labels as clusterLabels } from '@slipway/cluster-api';
import { kvmLabels } from '../api/index.js';

/** Whose fields these are when they are applied. */
export const podFieldManager = 'slipway-kvm';

/** The condition that drops a worker from the endpoints of Services while its Node is not ready. */
export const nodeReadyGate = 'infrastructure.cluster.x-k8s.io/workload-node-ready';

const roleLabel = 'infrastructure.cluster.x-k8s.io/role';

export interface MachineLabels {
  readonly clusterName: string;
  readonly uuid: string;
  readonly isControlPlane: boolean;
}

/**
 * What finds the objects of a machine again. No owner reference does: a move deletes the KVMMachine that it moved, and the
 * garbage collector would take the running machine along.
 */
export function machineLabels({ clusterName, uuid, isControlPlane }: MachineLabels): Record<string, string> {
  return {
    [clusterLabels.clusterName]: clusterName,
    ...(isControlPlane && { [clusterLabels.controlPlane]: '' }),
    [roleLabel]: isControlPlane ? 'control-plane' : 'worker',
    [kvmLabels.machineUuid]: uuid,
  };
}

/** The pod is called like the machine, and so is the Node; what belongs to it has a suffix. */
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

/** On a KVMMachine of a cluster that was there before: the Deployment whose pod is the machine. */
export const adoptedDeploymentAnnotation = 'infrastructure.cluster.x-k8s.io/adopted-deployment';
