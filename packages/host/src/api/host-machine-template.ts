import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { templateMetadata } from '@slipway/cluster-api/schemas';
import { contractLabels } from './names.js';
import { hostMachineSpec } from './specs.js';

export const hostMachineTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'HostMachineTemplate',
  plural: 'hostmachinetemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A template for HostMachines.',
      schema: {
        spec: optional(
          object({
            template: object({
              metadata: optional(templateMetadata),
              spec: hostMachineSpec,
            }),
          }),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type HostMachineTemplate = ObjectOf<typeof hostMachineTemplate>;
