import { list, object, optional, string } from '@slipway/kube/kit';
import { loadBalancer } from '../shared/load-balancer.js';
import { extraMounts, machineBackend } from '../shared/machine-backend.js';
import { controlPlaneEndpoint, failureDomains } from '@slipway/cluster-api/schemas';

export const devClusterSpec = object(
  {
    backend: object({
      docker: optional(
        object({
          failureDomains: optional(failureDomains),
          loadBalancer: optional(loadBalancer),
        }),
      ),
      inMemory: optional(object({})),
    }),
    controlPlaneEndpoint: optional(controlPlaneEndpoint),
  },
  { description: 'What the infrastructure of the cluster should be.' },
);

export const devMachineSpec = object(
  {
    backend: machineBackend,
    providerID: optional(string({ minLength: 1, maxLength: 512 })),
  },
  { description: 'What the machine should be.' },
);

export const devMachinePoolSpec = object(
  {
    backend: optional(
      object({
        docker: optional(
          object({
            customImage: optional(string()),
            extraMounts: optional(extraMounts),
            preLoadImages: optional(list(string())),
          }),
        ),
      }),
    ),
    providerID: optional(string()),
    providerIDList: optional(list(string())),
  },
  { description: 'What the machines of the pool should be.' },
);
