import type { PolicyRule } from '@slipway/runtime';
import { vsphereKinds } from '@slipway/vsphere';

const everything = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'];

function ofGroup(group: string): PolicyRule {
  const resources = vsphereKinds
    .filter((kind) => kind.group === group)
    .flatMap(({ plural }) => [plural, `${plural}/status`, `${plural}/finalizers`]);
  return { apiGroups: [group], resources, verbs: everything };
}

/** What the two modes write, and what they read without watching it from the beginning. */
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
