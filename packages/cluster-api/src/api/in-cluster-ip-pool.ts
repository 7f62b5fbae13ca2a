import { defineKind, type ObjectOf, optional } from '@slipway/kube/kit';
import { inClusterPoolColumns, inClusterPoolSpec, inClusterPoolStatus } from './shared/in-cluster-pool.js';

export const inClusterIpPool = defineKind({
  group: 'ipam.cluster.x-k8s.io',
  kind: 'InClusterIPPool',
  plural: 'inclusterippools',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha2', 'cluster.x-k8s.io/v1beta2': 'v1alpha2' },
  versions: [
    {
      name: 'v1alpha2',
      served: true,
      storage: true,
      description: 'InClusterIPPool is a pool of IP addresses for the IPAddressClaims of its namespace.',
      schema: {
        spec: optional(inClusterPoolSpec),
        status: optional(inClusterPoolStatus),
      },
      subresources: { status: true },
      columns: inClusterPoolColumns,
    },
  ],
});

export type InClusterIPPool = ObjectOf<typeof inClusterIpPool>;
