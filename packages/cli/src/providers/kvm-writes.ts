import { kvmKinds } from '@slipway/kvm';
import type { PolicyRule } from '@slipway/runtime';

const everything = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** What runs QEMU machines as pods writes, and what it reads without watching it from the beginning. */
export const kvmWrites: readonly PolicyRule[] = [
  {
    apiGroups: ['infrastructure.cluster.x-k8s.io'],
    resources: kvmKinds.flatMap(({ plural }) => [plural, `${plural}/status`, `${plural}/finalizers`]),
    verbs: everything,
  },
  {
    apiGroups: ['cluster.x-k8s.io'],
    resources: ['clusters', 'machines', 'clusters/status', 'machines/status'],
    verbs: ['get', 'list', 'watch', 'update', 'patch'],
  },
  {
    apiGroups: ['ipam.cluster.x-k8s.io'],
    resources: ['ipaddresses', 'ipaddressclaims', 'inclusterippools'],
    verbs: everything,
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
    verbs: everything,
  },
  // Machines of the operator before this one: their Deployments go when they do.
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'delete'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: everything },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: everything },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: everything },
  { apiGroups: ['gateway.networking.k8s.io'], resources: ['tlsroutes'], verbs: everything },
];
