import {
  atomicList,
  defineKind,
  enumeration,
  int64,
  list,
  object,
  optional,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { conditions, deprecatedConditions, v1beta1Conditions, v1beta2Conditions } from './shared/conditions.js';
import { labelSelector } from './shared/label-selector.js';

export const clusterResourceSet = defineKind({
  group: 'addons.cluster.x-k8s.io',
  kind: 'ClusterResourceSet',
  plural: 'clusterresourcesets',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: 'Resources that are applied to every matching cluster.',
      schema: {
        spec: optional(
          object({
            clusterSelector: labelSelector,
            resources: optional(
              list(
                object({
                  kind: enumeration(['Secret', 'ConfigMap']),
                  name: string({ minLength: 1, maxLength: 253 }),
                }),
                { maxItems: 100 },
              ),
            ),
            strategy: optional(enumeration(['ApplyOnce', 'Reconcile'])),
          }),
        ),
        status: optional(
          object({
            conditions: optional(v1beta1Conditions),
            observedGeneration: optional(int64()),
            v1beta2: optional(v1beta2Conditions),
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
      description: 'Resources that are applied to every matching cluster.',
      schema: {
        spec: object({
          clusterSelector: labelSelector,
          resources: atomicList(
            object({
              kind: enumeration(['Secret', 'ConfigMap']),
              name: string({ minLength: 1, maxLength: 253 }),
            }),
            { minItems: 1, maxItems: 100 },
          ),
          strategy: optional(enumeration(['ApplyOnce', 'Reconcile'])),
        }),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              observedGeneration: optional(int64({ minimum: 1 })),
            },
            { minProperties: 1 },
          ),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Applied', type: 'string', jsonPath: '.status.conditions[?(@.type=="ResourcesApplied")].status' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type ClusterResourceSet = ObjectOf<typeof clusterResourceSet>;
export type ClusterResourceSetV1Beta1 = ObjectOf<typeof clusterResourceSet, 'v1beta1'>;
