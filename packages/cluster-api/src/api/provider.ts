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
      description: 'Provider is a provider that clusterctl has installed in this management cluster.',
      schema: {
        providerName: optional(string({ description: 'providerName is the name of the provider, such as kubeadm.' })),
        type: optional(
          string({ description: 'type is the type of the provider, such as CoreProvider or InfrastructureProvider.' }),
        ),
        version: optional(
          string({ description: 'version is the installed version of the provider, with the v prefix.' }),
        ),
        watchedNamespace: optional(
          string({
            description: 'watchedNamespace is the namespace that the provider watches. Empty means all namespaces.',
          }),
        ),
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
