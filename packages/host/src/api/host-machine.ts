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
      description:
        'HostMachine is a machine that runs in Linux namespaces of this host, with its own containerd and kubelet.',
      schema: {
        spec: optional(hostMachineSpec),
        status: optional(
          object(
            {
              addresses: optional(machineAddresses),
              conditions: optional(conditions),
              initialization: optional(
                object(
                  {
                    provisioned: optional(
                      boolean({
                        description: 'provisioned is true once the machine is running. It never changes back to false.',
                      }),
                    ),
                  },
                  {
                    minProperties: 1,
                    description: 'initialization records which steps of the first provisioning are complete.',
                  },
                ),
              ),
            },
            { description: 'status is the observed state of the HostMachine.' },
          ),
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
