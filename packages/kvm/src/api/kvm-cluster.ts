import { boolean, defineKind, int64, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { conditions, failureDomains, failureDomainsV1Beta1 } from '@slipway/cluster-api/schemas';
import { kvmClusterSpec } from './cluster-spec.js';
import { definitionLabels, kvmCategories } from './names.js';

const description = 'What the machines of a cluster of QEMU machines share.';
const statusParts = {
  initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
  ready: optional(boolean({ description: 'The same for managers of the contract v1beta1.' })),
  conditions: optional(conditions),
  observedGeneration: optional(int64()),
};

export const kvmCluster = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KVMCluster',
  plural: 'kvmclusters',
  shortNames: ['kvmc'],
  categories: kvmCategories,
  scope: 'Namespaced',
  // Managers of the contract v1beta1 read failure domains by their names, and stumble over a list.
  labels: { ...definitionLabels, 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description,
      schema: {
        spec: optional(kvmClusterSpec),
        status: optional(object({ ...statusParts, failureDomains: optional(failureDomainsV1Beta1) })),
      },
      subresources: { status: true },
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description,
      schema: {
        spec: optional(kvmClusterSpec),
        status: optional(object({ ...statusParts, failureDomains: optional(failureDomains) })),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Backend', type: 'string', jsonPath: '.spec.backend' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host' },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type KVMCluster = ObjectOf<typeof kvmCluster>;
