import { defineKind, object, optional, refine } from '@slipway/kube/kit';
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
      description: 'HostClusterTemplate is the template from which a ClusterClass creates HostClusters.',
      schema: {
        spec: optional(
          object(
            {
              template: object(
                {
                  metadata: optional(templateMetadata),
                  spec: refine(hostClusterSpec, {
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
