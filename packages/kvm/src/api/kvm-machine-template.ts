import { defineKind, enumeration, map, object, optional, type ObjectOf, quantity, string } from '@slipway/kube/kit';
import { templateMetadata } from '@slipway/cluster-api/schemas';
import { kvmMachineSpec } from './machine-spec.js';
import { definitionLabels, kvmCategories } from './names.js';

export const kvmMachineTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KVMMachineTemplate',
  plural: 'kvmmachinetemplates',
  shortNames: ['kvmmt'],
  categories: kvmCategories,
  scope: 'Namespaced',
  labels: definitionLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A template for KVMMachines.',
      schema: {
        spec: optional(object({ template: object({ metadata: optional(templateMetadata), spec: kvmMachineSpec }) })),
        status: optional(
          object({
            capacity: optional(
              map(quantity(), { description: 'What a machine of it has, for an autoscaler that starts from none.' }),
            ),
            nodeInfo: optional(
              object(
                {
                  architecture: optional(enumeration(['amd64', 'arm64'])),
                  operatingSystem: optional(string({ minLength: 1, maxLength: 63 })),
                },
                { minProperties: 1 },
              ),
            ),
          }),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type KVMMachineTemplate = ObjectOf<typeof kvmMachineTemplate>;
