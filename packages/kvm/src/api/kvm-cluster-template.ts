import { defineKind, object, optional, refine } from '@slipway/kube/kit';
import { templateMetadata } from '@slipway/cluster-api/schemas';
import { kvmClusterSpec } from './cluster-spec.js';
import { definitionLabels, kvmCategories } from './names.js';

const template = object(
  {
    metadata: optional(
      refine(templateMetadata, {
        description: 'Labels and annotations of the KVMClusters that are created from this template.',
      }),
    ),
    spec: refine(kvmClusterSpec, { description: 'Spec of the KVMClusters that are created from this template.' }),
  },
  { description: 'KVMCluster to create. Immutable: create another KVMClusterTemplate and refer to it instead.' },
);

export const kvmClusterTemplate = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KVMClusterTemplate',
  plural: 'kvmclustertemplates',
  shortNames: ['kvmct'],
  categories: kvmCategories,
  scope: 'Namespaced',
  labels: definitionLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'KVMClusterTemplate is the template from which a ClusterClass creates KVMClusters.',
      schema: {
        spec: optional(object({ template }, { description: 'Desired state of the KVMClusters of a ClusterClass.' })),
        status: optional(object({}, { description: 'Observed state. It has no fields.' })),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});
