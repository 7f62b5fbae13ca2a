import { defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { templateMetadata } from '@slipway/cluster-api/schemas';
import { kvmClusterSpec } from './cluster-spec.js';
import { definitionLabels, kvmCategories } from './names.js';

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
      description: 'A template for KVMClusters.',
      schema: {
        spec: optional(object({ template: object({ metadata: optional(templateMetadata), spec: kvmClusterSpec }) })),
        status: optional(object({})),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type KVMClusterTemplate = ObjectOf<typeof kvmClusterTemplate>;
