import { boolean, defineKind, object, optional, type ObjectOf } from '@slipway/kube/kit';
import { conditions, machineAddresses } from '@slipway/cluster-api/schemas';
import { contractLabels } from './names.js';
import { hostMachineSpec } from './specs.js';

export const hostMachine = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'HostMachine',
  plural: 'hostmachines',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'A machine that is a set of namespaces on this Linux computer, with its own containerd and kubelet.',
      schema: {
        spec: optional(hostMachineSpec),
        status: optional(
          object({
            addresses: optional(machineAddresses),
            conditions: optional(conditions),
            initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
          }),
        ),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'IP', type: 'string', jsonPath: '.status.addresses[?(@.type=="InternalIP")].address' },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type HostMachine = ObjectOf<typeof hostMachine>;
