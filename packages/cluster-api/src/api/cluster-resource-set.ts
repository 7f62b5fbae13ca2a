import {
  atomicList,
  defineKind,
  enumeration,
  int64,
  list,
  object,
  optional,
  refine,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { conditions, deprecatedConditions, v1beta1Conditions, v1beta2Conditions } from './shared/conditions.js';
import { labelSelector } from './shared/label-selector.js';

const texts = {
  kind: 'ClusterResourceSet applies resources to every Cluster that matches its selector.',
  spec: 'spec is the desired state of the ClusterResourceSet.',
  clusterSelector:
    'clusterSelector selects the Clusters in the same namespace by their labels. An empty selector matches no Cluster. Immutable.',
  resources: 'resources are the ConfigMaps and Secrets, in the same namespace, whose manifests are applied.',
  resourcesKind:
    'kind is the kind of the object. One of Secret, ConfigMap. A Secret must be of type addons.cluster.x-k8s.io/resource-set.',
  name: 'name is the name of the object.',
  strategy:
    'strategy defines when the resources are applied: ApplyOnce creates them once and never again, Reconcile applies them again when they change. Defaults to ApplyOnce. Immutable.',
  status: 'status is the observed state of the ClusterResourceSet.',
  observedGeneration: 'observedGeneration is the metadata.generation that the controller last processed.',
};

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
      description: texts.kind,
      schema: {
        spec: optional(
          object(
            {
              clusterSelector: refine(labelSelector, { description: texts.clusterSelector }),
              resources: optional(
                list(
                  object({
                    kind: enumeration(['Secret', 'ConfigMap'], { description: texts.resourcesKind }),
                    name: string({ minLength: 1, maxLength: 253, description: texts.name }),
                  }),
                  { maxItems: 100, description: texts.resources },
                ),
              ),
              strategy: optional(enumeration(['ApplyOnce', 'Reconcile'], { description: texts.strategy })),
            },
            { description: texts.spec },
          ),
        ),
        status: optional(
          object(
            {
              conditions: optional(v1beta1Conditions),
              observedGeneration: optional(int64({ description: texts.observedGeneration })),
              v1beta2: optional(v1beta2Conditions),
            },
            { description: texts.status },
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
            clusterSelector: refine(labelSelector, { description: texts.clusterSelector }),
            resources: atomicList(
              object({
                kind: enumeration(['Secret', 'ConfigMap'], { description: texts.resourcesKind }),
                name: string({ minLength: 1, maxLength: 253, description: texts.name }),
              }),
              { minItems: 1, maxItems: 100, description: texts.resources },
            ),
            strategy: optional(enumeration(['ApplyOnce', 'Reconcile'], { description: texts.strategy })),
          },
          { description: texts.spec },
        ),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              deprecated: optional(deprecatedConditions),
              observedGeneration: optional(int64({ minimum: 1, description: texts.observedGeneration })),
            },
            { minProperties: 1, description: texts.status },
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
