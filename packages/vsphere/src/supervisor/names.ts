/** Labels of VirtualMachines under two names: components of older Supervisors select by the second. */
export const vmLabels = {
  clusterName: ['capv.vmware.com/cluster.name', 'capw.vmware.com/cluster.name'],
  clusterRole: ['capv.vmware.com/cluster.role', 'capw.vmware.com/cluster.role'],
  zone: 'topology.kubernetes.io/zone',
} as const;

export const vmRoles = { controlPlane: 'controlplane', worker: 'node' } as const;

export const vmAnnotations = {
  tag: 'vsphere-tag',
  clusterModuleGroup: 'vsphere-cluster-module-group',
} as const;

/** Tags by which DRS separates machines of one role. */
export const antiAffinityTags = { controlPlane: 'CtrlVmVmAATag', worker: 'WorkerVmVmAATag' } as const;

export const controlPlaneModuleGroup = 'control-plane-group';

/** All workers of a cluster share one group. Affinity spreads those of one MachineDeployment. */
export function workersModuleGroup(clusterName: string): string {
  return `${clusterName}-workers-0`;
}

export const apiServerPort = 6443;

/** Finalizer of an earlier release on VSphereClusters, removed when found. */
export const legacyClusterFinalizer = 'providerserviceaccount.vmware.infrastructure.cluster.x-k8s.io';

export const claimTopologyAnnotation = 'csi.vsphere.volume-requested-topology';
