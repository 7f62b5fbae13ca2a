import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { machineSpecV1Beta1 } from './v1beta1/machine-spec.js';
import { machineStatusV1Beta1 } from './v1beta1/machine-status.js';
import { machineSpec } from './v1beta2/machine-spec.js';
import { machineStatus } from './v1beta2/machine-status.js';

const texts = {
  kind: 'Machine is a host of a Kubernetes Node, such as a virtual machine.',
};

export const machine = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'Machine',
  plural: 'machines',
  shortNames: ['ma'],
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
        spec: optional(machineSpecV1Beta1),
        status: optional(machineStatusV1Beta1),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'NodeName', type: 'string', jsonPath: '.status.nodeRef.name' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.version' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: machineSpec,
        status: optional(machineStatus),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Node Name', type: 'string', jsonPath: '.status.nodeRef.name' },
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'Failure domain', type: 'string', jsonPath: '.status.failureDomain' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Up-to-date', type: 'string', jsonPath: '.status.conditions[?(@.type=="UpToDate")].status' },
        {
          name: 'Internal-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="InternalIP")].address',
          priority: 10,
        },
        {
          name: 'External-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="ExternalIP")].address',
          priority: 10,
        },
        { name: 'OS-Image', type: 'string', jsonPath: '.status.nodeInfo.osImage', priority: 10 },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.version' },
      ],
    },
  ],
});

export type Machine = ObjectOf<typeof machine>;
