import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { clusterSpecV1Beta1, clusterStatusV1Beta1 } from './v1beta1/cluster.js';
import { clusterSpec, clusterStatus } from './v1beta2/cluster.js';

const texts = {
  kind: 'Cluster is a Kubernetes cluster: its network, API endpoint, control plane and infrastructure.',
};

export const cluster = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'Cluster',
  plural: 'clusters',
  shortNames: ['cl'],
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
        spec: optional(clusterSpecV1Beta1),
        status: optional(clusterStatusV1Beta1),
      },
      subresources: { status: true },
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.spec.topology.class' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.topology.version' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: clusterSpec,
        status: optional(clusterStatus),
      },
      subresources: { status: true },
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.spec.topology.classRef.name' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'CP Desired', type: 'integer', jsonPath: '.status.controlPlane.desiredReplicas' },
        { name: 'CP Current', type: 'integer', jsonPath: '.status.controlPlane.replicas', priority: 10 },
        { name: 'CP Ready', type: 'integer', jsonPath: '.status.controlPlane.readyReplicas', priority: 10 },
        { name: 'CP Available', type: 'integer', jsonPath: '.status.controlPlane.availableReplicas' },
        { name: 'CP Up-to-date', type: 'integer', jsonPath: '.status.controlPlane.upToDateReplicas' },
        { name: 'W Desired', type: 'integer', jsonPath: '.status.workers.desiredReplicas' },
        { name: 'W Current', type: 'integer', jsonPath: '.status.workers.replicas', priority: 10 },
        { name: 'W Ready', type: 'integer', jsonPath: '.status.workers.readyReplicas', priority: 10 },
        { name: 'W Available', type: 'integer', jsonPath: '.status.workers.availableReplicas' },
        { name: 'W Up-to-date', type: 'integer', jsonPath: '.status.workers.upToDateReplicas' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.topology.version' },
      ],
    },
  ],
});

export type Cluster = ObjectOf<typeof cluster>;
