import { kvmKinds } from '@slipway/kvm';
import type { PolicyRule } from '@slipway/runtime';

const everything = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'];

/** What machines are made of where they are pods, and what exposes them. */
export const kvmWrites: readonly PolicyRule[] = [
  {
    apiGroups: ['infrastructure.cluster.x-k8s.io'],
    resources: kvmKinds.flatMap(({ plural }) => [plural, `${plural}/status`, `${plural}/finalizers`]),
    verbs: everything,
  },
  { apiGroups: ['cluster.x-k8s.io'], resources: ['clusters', 'machines'], verbs: ['get', 'list', 'watch'] },
  {
    apiGroups: ['ipam.cluster.x-k8s.io'],
    resources: ['ipaddressclaims', 'inclusterippools'],
    verbs: everything,
  },
  {
    apiGroups: [''],
    resources: ['pods', 'services', 'configmaps', 'secrets', 'persistentvolumeclaims'],
    verbs: everything,
  },
  { apiGroups: [''], resources: ['pods/status'], verbs: ['get', 'patch', 'update'] },
  { apiGroups: ['policy'], resources: ['poddisruptionbudgets'], verbs: everything },
  // Machines of the operator before this one: their Deployments go when they do.
  { apiGroups: ['apps'], resources: ['deployments'], verbs: ['get', 'list', 'watch', 'delete'] },
  { apiGroups: ['discovery.k8s.io'], resources: ['endpointslices'], verbs: everything },
  { apiGroups: ['networking.k8s.io'], resources: ['ingresses'], verbs: everything },
  { apiGroups: ['gateway.networking.k8s.io'], resources: ['tlsroutes'], verbs: everything },
];
