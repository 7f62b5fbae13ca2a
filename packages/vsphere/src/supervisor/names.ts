/** On VirtualMachines, twice: components of older Supervisors select by the second name. */
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

/** How DRS keeps machines of one role apart. */
export const antiAffinityTags = { controlPlane: 'CtrlVmVmAATag', worker: 'WorkerVmVmAATag' } as const;

export const controlPlaneModuleGroup = 'control-plane-group';

/** All workers of a cluster share one; what spreads those of one deployment is their affinity. */
export function workersModuleGroup(clusterName: string): string {
  return `${clusterName}-workers-0`;
}

export const apiServerPort = 6443;

/** What an earlier release put on VSphereClusters, and nobody takes off any more. */
export const legacyClusterFinalizer = 'providerserviceaccount.vmware.infrastructure.cluster.x-k8s.io';

export const claimTopologyAnnotation = 'csi.vsphere.volume-requested-topology';
