import { kvmKinds } from '@slipway/kvm';
import type { PolicyRule } from '@slipway/runtime';
import { vsphereKinds } from '@slipway/vsphere';

const groups = {
  addons: 'addons.cluster.x-k8s.io',
  bootstrap: 'bootstrap.cluster.x-k8s.io',
  cluster: 'cluster.x-k8s.io',
  controlPlane: 'controlplane.cluster.x-k8s.io',
  infrastructure: 'infrastructure.cluster.x-k8s.io',
  ipam: 'ipam.cluster.x-k8s.io',
  runtime: 'runtime.cluster.x-k8s.io',
} as const;
const everything = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];
const changes = ['create', 'update', 'patch', 'delete'];

/** Returns rules for a resource that a controller manages: objects, including storage version migration, and their status. */
function managed(
  group: string,
  plurals: readonly string[],
  verbs: readonly string[] = ['update', 'patch'],
): PolicyRule[] {
  return [
    { apiGroups: [group], resources: [...plurals], verbs: ['get', 'list', ...verbs] },
    // Setting blockOwnerDeletion requires permission to update the finalizers of the owner.
    {
      apiGroups: [group],
      resources: plurals.flatMap((plural) => [`${plural}/status`, `${plural}/finalizers`]),
      verbs: ['get', 'update', 'patch'],
    },
  ];
}

/** Rules of the core, which creates and watches objects of unknown providers in the API groups that the contract defines. */
export const coreWrites: readonly PolicyRule[] = [
  {
    apiGroups: [groups.bootstrap, groups.controlPlane, groups.infrastructure],
    resources: ['*'],
    verbs: everything,
  },
  ...managed(groups.cluster, ['clusters', 'clusterclasses', 'machinedrainrules']),
  ...managed(
    groups.cluster,
    ['machines', 'machinesets', 'machinedeployments', 'machinepools', 'machinehealthchecks'],
    changes,
  ),
  ...managed(groups.addons, ['clusterresourcesets', 'clusterresourcesetbindings'], changes),
  ...managed(groups.ipam, ['ipaddresses', 'ipaddressclaims', 'inclusterippools', 'globalinclusterippools'], changes),
  ...managed(groups.runtime, ['extensionconfigs']),
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', ...changes] },
  // ConfigMaps that a ClusterResourceSet applies get an owner reference.
  { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch', 'update', 'patch'] },
  { apiGroups: [''], resources: ['namespaces'], verbs: ['get', 'list', 'watch'] },
];

export const bootstrapWrites: readonly PolicyRule[] = [
  ...managed(groups.bootstrap, ['kubeadmconfigs', 'kubeadmconfigtemplates']),
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', ...changes] },
  // The init lock of a control plane, and user-provided files.
  { apiGroups: [''], resources: ['configmaps'], verbs: everything },
];

/** Rules of the control plane provider, which creates Machines with infrastructure and bootstrap objects of unknown providers. */
export const controlPlaneWrites: readonly PolicyRule[] = [
  ...managed(groups.controlPlane, ['kubeadmcontrolplanes', 'kubeadmcontrolplanetemplates']),
  { apiGroups: [groups.bootstrap, groups.infrastructure], resources: ['*'], verbs: everything },
  ...managed(groups.cluster, ['machines'], changes),
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', ...changes] },
];

export const devWrites: readonly PolicyRule[] = [
  ...managed(
    groups.infrastructure,
    [
      'devclusters',
      'devmachines',
      'devmachinepools',
      'devclustertemplates',
      'devmachinetemplates',
      'devmachinepooltemplates',
    ],
    changes,
  ),
  ...managed(groups.cluster, ['machines'], ['delete', 'update', 'patch']),
  { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch'] },
];

const allVerbsAndDeleteCollection = [...everything, 'deletecollection'];

/** Rules of the KVM provider for writes and for reads without an initial watch. */
export const kvmWrites: readonly PolicyRule[] = [
  {
    apiGroups: ['infrastructure.cluster.x-k8s.io'],
    resources: kvmKinds.flatMap(({ plural }) => [plural, `${plural}/status`, `${plural}/finalizers`]),
    verbs: allVerbsAndDeleteCollection,
  },
  {
    apiGroups: ['cluster.x-k8s.io'],
    resources: ['clusters', 'machines', 'clusters/status', 'machines/status'],
    verbs: ['get', 'list', 'watch', 'update', 'patch'],
  },
  {
    apiGroups: ['ipam.cluster.x-k8s.io'],
    resources: ['ipaddresses', 'ipaddressclaims', 'inclusterippools'],
    verbs: allVerbsAndDeleteCollection,
  },
  {
    apiGroups: [''],
    resources: [
      'pods',
      'pods/status',
      'secrets',
      'configmaps',
      'services',
      'persistentvolumeclaims',
      'persistentvolumes',
    ],
    verbs: allVerbsAndDeleteCollection,
  },
  // The previous operator created a Deployment for each machine. It is deleted together with the machine.
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'delete'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: allVerbsAndDeleteCollection },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: allVerbsAndDeleteCollection },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: allVerbsAndDeleteCollection },
  { apiGroups: ['gateway.networking.k8s.io'], resources: ['tlsroutes'], verbs: allVerbsAndDeleteCollection },
];

function ofGroup(group: string): PolicyRule {
  const resources = vsphereKinds
    .filter((kind) => kind.group === group)
    .flatMap(({ plural }) => [plural, `${plural}/status`, `${plural}/finalizers`]);
  return { apiGroups: [group], resources, verbs: everything };
}

/** Rules of both vSphere modes for writes and for reads without an initial watch. */
export const vsphereWrites: readonly PolicyRule[] = [
  ofGroup('infrastructure.cluster.x-k8s.io'),
  ofGroup('vmware.infrastructure.cluster.x-k8s.io'),
  {
    apiGroups: ['cluster.x-k8s.io'],
    resources: ['clusters', 'machines', 'machinesets', 'machinedeployments', 'clusters/status', 'machines/status'],
    verbs: ['get', 'list', 'watch', 'update', 'patch'],
  },
  { apiGroups: ['controlplane.cluster.x-k8s.io'], resources: ['*'], verbs: ['get', 'list', 'watch'] },
  {
    apiGroups: ['ipam.cluster.x-k8s.io'],
    resources: ['ipaddresses', 'ipaddressclaims'],
    verbs: everything,
  },
  { apiGroups: ['vmoperator.vmware.com'], resources: ['*'], verbs: everything },
  {
    apiGroups: ['netoperator.vmware.com', 'topology.tanzu.vmware.com'],
    resources: ['*'],
    verbs: ['get', 'list', 'watch'],
  },
  { apiGroups: ['vmware.com', 'crd.nsx.vmware.com'], resources: ['*'], verbs: everything },
  {
    apiGroups: [''],
    resources: ['secrets', 'serviceaccounts', 'persistentvolumeclaims'],
    verbs: everything,
  },
  { apiGroups: [''], resources: ['configmaps', 'namespaces', 'services'], verbs: ['get', 'list', 'watch'] },
  { apiGroups: ['rbac.authorization.k8s.io'], resources: ['roles', 'rolebindings'], verbs: everything },
];
