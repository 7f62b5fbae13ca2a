import { defineKind, map, object, optional, refine, quantity, type ObjectOf } from '@slipway/kube/kit';
import { devMachineSpecV1Beta1 } from './v1beta1/specs.js';
import { devMachineSpec } from './v1beta2/specs.js';
import { contractLabels, templateMetadata, templateMetadataV1Beta1 } from '@slipway/cluster-api/schemas';

const texts = {
  kind: 'DevMachineTemplate is the template from which DevMachines are created.',
  spec: 'spec is the desired state of the template.',
  template: 'template is the metadata and the spec of the objects created from this template.',
  templateSpec: 'spec is the spec of the created objects. Immutable: create another template and refer to it instead.',
};

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
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadataV1Beta1),
                  spec: refine(devMachineSpecV1Beta1, { description: texts.templateSpec }),
                },
                { description: texts.template },
              ),
            },
            { description: texts.spec },
          ),
        ),
      },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadata),
                  spec: refine(devMachineSpec, { description: texts.templateSpec }),
                },
                { description: texts.template },
              ),
            },
            { description: texts.spec },
          ),
        ),
        status: optional(
          object(
            {
              capacity: optional(
                map(quantity(), {
                  description:
                    'capacity is the resources of a machine created from this template, by resource name. The autoscaler uses it to scale from zero.',
                }),
              ),
            },
            { description: 'status is the observed state of the template.' },
          ),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type DevMachineTemplate = ObjectOf<typeof devMachineTemplate>;
