/** Labels of VirtualMachines. The name and the role have two keys: components of older Supervisors select by the second. */
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

/** Returns the module group that all workers of a cluster share. Affinity spreads the workers of one MachineDeployment. */
export function workersModuleGroup(clusterName: string): string {
  return `${clusterName}-workers-0`;
}

export const apiServerPort = 6443;

/** Finalizer that an earlier release set on VSphereClusters. It is removed when found. */
export const legacyClusterFinalizer = 'providerserviceaccount.vmware.infrastructure.cluster.x-k8s.io';

export const claimTopologyAnnotation = 'csi.vsphere.volume-requested-topology';
