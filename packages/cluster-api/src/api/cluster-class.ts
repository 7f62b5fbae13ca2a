import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { clusterClassSpecV1Beta1, clusterClassStatusV1Beta1 } from './v1beta1/cluster-class.js';
import { clusterClassSpec, clusterClassStatus } from './v1beta2/cluster-class.js';

const texts = {
  kind: 'ClusterClass is a set of templates, variables and patches from which Clusters are generated.',
};

export const clusterClass = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'ClusterClass',
  plural: 'clusterclasses',
  shortNames: ['cc'],
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
        spec: optional(clusterClassSpecV1Beta1),
        status: optional(clusterClassStatusV1Beta1),
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
        spec: clusterClassSpec,
        status: optional(clusterClassStatus),
      },
      subresources: { status: true },
      columns: [
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Variables Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="VariablesReady")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type ClusterClass = ObjectOf<typeof clusterClass>;
