import { defineKind, optional, string, type ObjectOf } from '@slipway/kube/kit';

export const provider = defineKind({
  group: 'clusterctl.cluster.x-k8s.io',
  kind: 'Provider',
  plural: 'providers',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1alpha3',
      served: true,
      storage: true,
      description: 'A provider installed in this management cluster.',
      schema: {
        providerName: optional(string()),
        type: optional(string()),
        version: optional(string()),
        watchedNamespace: optional(string()),
      },
      columns: [
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Type', type: 'string', jsonPath: '.type' },
        { name: 'Provider', type: 'string', jsonPath: '.providerName' },
        { name: 'Version', type: 'string', jsonPath: '.version' },
      ],
    },
  ],
});

export type Provider = ObjectOf<typeof provider>;
