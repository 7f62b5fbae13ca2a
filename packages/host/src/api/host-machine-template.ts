import { defineKind, object, optional, refine } from '@slipway/kube/kit';
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
      description: 'HostMachineTemplate is the template from which HostMachines are created.',
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadata),
                  spec: refine(hostMachineSpec, {
                    description:
                      'spec is the spec of the created objects. Immutable: create another template and refer to it instead.',
                  }),
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
