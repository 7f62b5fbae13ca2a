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

const texts = {
  kind: 'ClusterResourceSetBinding records which resources were applied to a Cluster. It has the name of the Cluster and is managed by the controller.',
  spec: 'spec is the record of the applied resources.',
  bindings: 'bindings are the records, one for each ClusterResourceSet that matches the Cluster.',
  clusterResourceSetName: 'clusterResourceSetName is the name of the ClusterResourceSet.',
  resources: 'resources are the records of the individual ConfigMaps and Secrets.',
  applied: 'applied is true if all manifests of the object were applied to the Cluster.',
  hash: 'hash is a hash of the data of the object when it was last applied. With the strategy Reconcile, the object is applied again if its hash changes.',
  resourcesKind: 'kind is the kind of the object. One of Secret, ConfigMap.',
  lastAppliedTime: 'lastAppliedTime is the time at which the object was last applied.',
  bindingsResourcesName: 'name is the name of the object.',
  clusterName: 'clusterName is the name of the Cluster. Immutable.',
};

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
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              bindings: optional(
                list(
                  object({
                    clusterResourceSetName: string({
                      minLength: 1,
                      maxLength: 253,
                      description: texts.clusterResourceSetName,
                    }),
                    resources: optional(
                      list(
                        object({
                          applied: boolean({ description: texts.applied }),
                          hash: optional(string({ minLength: 1, maxLength: 256, description: texts.hash })),
                          kind: enumeration(['Secret', 'ConfigMap'], { description: texts.resourcesKind }),
                          lastAppliedTime: optional(dateTime({ description: texts.lastAppliedTime })),
                          name: string({ minLength: 1, maxLength: 253, description: texts.bindingsResourcesName }),
                        }),
                        { maxItems: 100, description: texts.resources },
                      ),
                    ),
                  }),
                  { maxItems: 100, description: texts.bindings },
                ),
              ),
              clusterName: optional(string({ minLength: 1, maxLength: 63, description: texts.clusterName })),
            },
            { description: texts.spec },
          ),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: object(
          {
            bindings: optional(
              atomicList(
                object({
                  clusterResourceSetName: string({
                    minLength: 1,
                    maxLength: 253,
                    description: texts.clusterResourceSetName,
                  }),
                  resources: optional(
                    atomicList(
                      object({
                        applied: boolean({ description: texts.applied }),
                        hash: optional(string({ minLength: 1, maxLength: 256, description: texts.hash })),
                        kind: enumeration(['Secret', 'ConfigMap'], { description: texts.resourcesKind }),
                        lastAppliedTime: optional(dateTime({ description: texts.lastAppliedTime })),
                        name: string({ minLength: 1, maxLength: 253, description: texts.bindingsResourcesName }),
                      }),
                      { maxItems: 100, description: texts.resources },
                    ),
                  ),
                }),
                { maxItems: 100, description: texts.bindings },
              ),
            ),
            clusterName: string({ minLength: 1, maxLength: 63, description: texts.clusterName }),
          },
          { description: texts.spec },
        ),
      },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type ClusterResourceSetBinding = ObjectOf<typeof clusterResourceSetBinding>;
