import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { templateMetadata } from '@slipway/cluster-api/schemas';
import { contractLabels } from './names.js';
import { hostClusterSpec } from './specs.js';

export const hostClusterTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'HostClusterTemplate',
  plural: 'hostclustertemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A template for HostClusters.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadata),
              spec: hostClusterSpec,
            }),
          }),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type HostClusterTemplate = ObjectOf<typeof hostClusterTemplate>;
