import { defineKind, object, optional } from '@slipway/kube/kit';
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
      description: 'DevMachinePoolTemplate is the template from which DevMachinePools are created.',
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadata),
                  spec: devMachinePoolSpec,
                },
                { description: 'template is the metadata and the spec of the objects created from this template.' },
              ),
            },
            { description: 'spec is the desired state of the template.' },
          ),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});
