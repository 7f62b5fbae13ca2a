import { defineKind, map, object, optional, quantity, type ObjectOf } from '@slipway/kube/kit';
import { devMachineSpecV1Beta1 } from './v1beta1/specs.js';
import { devMachineSpec } from './v1beta2/specs.js';
import { contractLabels, templateMetadata, templateMetadataV1Beta1 } from '@slipway/cluster-api/schemas';

export const devMachineTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevMachineTemplate',
  plural: 'devmachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: 'A template for DevMachines.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadataV1Beta1),
              spec: devMachineSpecV1Beta1,
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
      description: 'A template for DevMachines.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadata),
              spec: devMachineSpec,
            }),
          }),
        ),
        status: optional(
          object({
            capacity: optional(map(quantity())),
          }),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type DevMachineTemplate = ObjectOf<typeof devMachineTemplate>;
export type DevMachineTemplateV1Beta1 = ObjectOf<typeof devMachineTemplate, 'v1beta1'>;
