import { defineKind, object, optional } from '@slipway/kube/kit';
import { contractLabels, templateMetadata } from '@slipway/cluster-api/schemas';
import { ageColumn, clusterClassColumn } from '../shared/columns.js';
import { supervisorClusterSpec, supervisorClusterSpecV1Beta1 } from './cluster-spec.js';

const description = 'A template for VSphereClusters in a Supervisor, referenced by a ClusterClass.';
const specDescription = 'The template.';
const templateDescription = 'Metadata and spec of the VSphereClusters that are created from this template.';

export const supervisorClusterTemplate = defineKind({
  group: 'vmware.infrastructure.cluster.x-k8s.io',
  kind: 'VSphereClusterTemplate',
  plural: 'vsphereclustertemplates',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(
          object(
            { template: object({ spec: supervisorClusterSpecV1Beta1 }, { description: templateDescription }) },
            { description: specDescription },
          ),
        ),
      },
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: optional(
          object(
            {
              template: object(
                { metadata: optional(templateMetadata), spec: optional(supervisorClusterSpec) },
                { minProperties: 1, description: templateDescription },
              ),
            },
            { description: specDescription },
          ),
        ),
      },
      columns: [clusterClassColumn, ageColumn],
    },
  ],
});
