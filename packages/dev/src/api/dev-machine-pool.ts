import {
  boolean,
  defineKind,
  int32,
  int64,
  list,
  object,
  optional,
  refine,
  string,
  type ObjectOf,
} from '@slipway/kube/kit';
import { devMachinePoolSpec } from './v1beta2/specs.js';
import { conditions, contractLabels, machineAddresses } from '@slipway/cluster-api/schemas';

export const devMachinePool = defineKind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'DevMachinePool',
  plural: 'devmachinepools',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: 'DevMachinePool is a pool of machines for development and tests.',
      schema: {
        spec: optional(devMachinePoolSpec),
        status: optional(
          object(
            {
              conditions: optional(conditions),
              infrastructureMachineKind: optional(
                string({
                  description:
                    'infrastructureMachineKind is the kind of the infrastructure machines of the pool. If set, a Machine is created for each of them.',
                }),
              ),
              instances: optional(
                list(
                  object({
                    addresses: optional(
                      refine(machineAddresses, { description: 'addresses are the addresses of the machine.' }),
                    ),
                    instanceName: optional(string({ description: 'instanceName is the name of the machine.' })),
                    providerID: optional(string({ description: 'providerID is the provider ID of the machine.' })),
                    ready: optional(boolean({ description: 'ready is true once the machine is provisioned.' })),
                    version: optional(string({ description: 'version is the Kubernetes version of the machine.' })),
                  }),
                  { description: 'instances are the machines of the pool.' },
                ),
              ),
              observedGeneration: optional(
                int64({
                  description: 'observedGeneration is the metadata.generation that the controller last processed.',
                }),
              ),
              ready: optional(boolean({ description: 'ready is true if all machines of the pool are provisioned.' })),
              replicas: optional(int32({ description: 'replicas is the number of existing machines of the pool.' })),
            },
            { description: 'status is the observed state of the DevMachinePool.' },
          ),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type DevMachinePool = ObjectOf<typeof devMachinePool>;
