import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { devClusterSpecV1Beta1 } from './v1beta1/specs.js';
import { devClusterSpec } from './v1beta2/specs.js';
import { contractLabels, templateMetadata, templateMetadataV1Beta1 } from '@slipway/cluster-api/schemas';

export const devClusterTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevClusterTemplate',
  plural: 'devclustertemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: 'A template for DevClusters.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadataV1Beta1),
              spec: devClusterSpecV1Beta1,
            }),
          }),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A template for DevClusters.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadata),
              spec: devClusterSpec,
            }),
          }),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type DevClusterTemplate = ObjectOf<typeof devClusterTemplate>;
export type DevClusterTemplateV1Beta1 = ObjectOf<typeof devClusterTemplate, 'v1beta1'>;
