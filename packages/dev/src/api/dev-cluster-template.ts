import { defineKind, object, optional, refine, type ObjectOf } from '@slipway/kube/kit';
import { devClusterSpecV1Beta1 } from './v1beta1/specs.js';
import { devClusterSpec } from './v1beta2/specs.js';
import { contractLabels, templateMetadata, templateMetadataV1Beta1 } from '@slipway/cluster-api/schemas';

const texts = {
  kind: 'DevClusterTemplate is the template from which a ClusterClass creates DevClusters.',
  spec: 'spec is the desired state of the template.',
  template: 'template is the metadata and the spec of the objects created from this template.',
  templateSpec: 'spec is the spec of the created objects. Immutable: create another template and refer to it instead.',
};

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
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadataV1Beta1),
                  spec: refine(devClusterSpecV1Beta1, { description: texts.templateSpec }),
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
                  spec: refine(devClusterSpec, { description: texts.templateSpec }),
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
  ],
});

export type DevClusterTemplate = ObjectOf<typeof devClusterTemplate>;
