import {
  atomicList,
  boolean,
  dateTime,
  defineKind,
  enumeration,
  list,
  object,
  optional,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';

export const clusterResourceSetBinding = defineKind({
  group: 'addons.cluster.x-k8s.io',
  kind: 'ClusterResourceSetBinding',
  plural: 'clusterresourcesetbindings',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: 'Which resources were applied to one cluster.',
      schema: {
        spec: optional(
          object({
            bindings: optional(
              list(
                object({
                  clusterResourceSetName: string({ minLength: 1, maxLength: 253 }),
                  resources: optional(
                    list(
                      object({
                        applied: boolean(),
                        hash: optional(string({ minLength: 1, maxLength: 256 })),
                        kind: enumeration(['Secret', 'ConfigMap']),
                        lastAppliedTime: optional(dateTime()),
                        name: string({ minLength: 1, maxLength: 253 }),
                      }),
                      { maxItems: 100 },
                    ),
                  ),
                }),
                { maxItems: 100 },
              ),
            ),
            clusterName: optional(string({ minLength: 1, maxLength: 63 })),
          }),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'Which resources were applied to one cluster.',
      schema: {
        spec: object({
          bindings: optional(
            atomicList(
              object({
                clusterResourceSetName: string({ minLength: 1, maxLength: 253 }),
                resources: optional(
                  atomicList(
                    object({
                      applied: boolean(),
                      hash: optional(string({ minLength: 1, maxLength: 256 })),
                      kind: enumeration(['Secret', 'ConfigMap']),
                      lastAppliedTime: optional(dateTime()),
                      name: string({ minLength: 1, maxLength: 253 }),
                    }),
                    { maxItems: 100 },
                  ),
                ),
              }),
              { maxItems: 100 },
            ),
          ),
          clusterName: string({ minLength: 1, maxLength: 63 }),
        }),
      },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type ClusterResourceSetBinding = ObjectOf<typeof clusterResourceSetBinding>;
export type ClusterResourceSetBindingV1Beta1 = ObjectOf<typeof clusterResourceSetBinding, 'v1beta1'>;
