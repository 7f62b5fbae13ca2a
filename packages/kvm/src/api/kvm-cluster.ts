import { boolean, defineKind, int64, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { conditions, failureDomains } from '@slipway/cluster-api/schemas';
import { kvmClusterSpec } from './cluster-spec.js';
import { definitionLabels, kvmCategories } from './names.js';

export const kvmCluster = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KVMCluster',
  plural: 'kvmclusters',
  shortNames: ['kvmc'],
  categories: kvmCategories,
  scope: 'Namespaced',
  labels: definitionLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'What the machines of a cluster of QEMU machines share.',
      schema: {
        spec: optional(kvmClusterSpec),
        status: optional(
          object({
            initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
            ready: optional(boolean({ description: 'The same for managers of the contract v1beta1.' })),
            failureDomains: optional(failureDomains),
            conditions: optional(conditions),
            observedGeneration: optional(int64()),
          }),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Backend', type: 'string', jsonPath: '.spec.backend' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type KVMCluster = ObjectOf<typeof kvmCluster>;
