import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { devMachinePoolSpec } from './v1beta2/specs.js';
import { contractLabels, templateMetadata } from '@slipway/cluster-api/schemas';

export const devMachinePoolTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevMachinePoolTemplate',
  plural: 'devmachinepooltemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A template for DevMachinePools.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadata),
              spec: devMachinePoolSpec,
            }),
          }),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type DevMachinePoolTemplate = ObjectOf<typeof devMachinePoolTemplate>;
