import { boolean, defineKind, int32, int64, list, object, optional, string, type ObjectOf } from '@slipway/kube/kit';
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
      description: 'A pool of machines for development and tests.',
      schema: {
        spec: optional(devMachinePoolSpec),
        status: optional(
          object({
            conditions: optional(conditions),
            infrastructureMachineKind: optional(string()),
            instances: optional(
              list(
                object({
                  addresses: optional(machineAddresses),
                  instanceName: optional(string()),
                  providerID: optional(string()),
                  ready: optional(boolean()),
                  version: optional(string()),
                }),
              ),
            ),
            observedGeneration: optional(int64()),
            ready: optional(boolean()),
            replicas: optional(int32()),
          }),
        ),
      },
      subresources: { status: true },
      columns: [{ name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }],
    },
  ],
});

export type DevMachinePool = ObjectOf<typeof devMachinePool>;
