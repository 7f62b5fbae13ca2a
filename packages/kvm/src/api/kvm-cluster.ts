import { defineKind, object, optional, type ObjectOf, refine } from '@slipway/kube/kit';
import { conditions, failureDomains, failureDomainsV1Beta1 } from '@slipway/cluster-api/schemas';
import { kvmClusterSpec } from './cluster-spec.js';
import { definitionLabels, kvmCategories } from './names.js';
import { initialization, observedGeneration, ready } from './shared.js';

const description = 'KVMCluster is the infrastructure that the QEMU virtual machines of a cluster share.';
const statusDescription = 'Observed state of the infrastructure of the cluster.';
const failureDomainsDescription =
  'Failure domains from spec.failureDomains, in the format of the Cluster API contract.';
const statusParts = {
  initialization,
  ready,
  conditions: optional(
    refine(conditions, {
      description:
        'Conditions of the cluster. Types are Ready, NetworkReady, ControlPlaneEndpointReady, LoadBalancerReady, NamespaceReady, Paused and Deleting.',
    }),
  ),
  observedGeneration,
};
const statusOfV1Beta1 = object(
  {
    ...statusParts,
    failureDomains: optional(refine(failureDomainsV1Beta1, { description: failureDomainsDescription })),
  },
  { description: statusDescription },
);
const status = object(
  { ...statusParts, failureDomains: optional(refine(failureDomains, { description: failureDomainsDescription })) },
  { description: statusDescription },
);

export const kvmCluster = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KVMCluster',
  plural: 'kvmclusters',
  shortNames: ['kvmc'],
  categories: kvmCategories,
  scope: 'Namespaced',
  // The v1beta1 contract is implemented by v1beta1, not v1beta2: its managers expect a map of failure domains and cannot decode
  // the list of v1beta2.
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
        status: optional(statusOfV1Beta1),
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
        status: optional(status),
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
