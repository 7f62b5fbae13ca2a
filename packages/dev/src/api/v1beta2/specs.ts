import { list, object, optional, refine, string } from '@slipway/kube/kit';
import { loadBalancer } from '../shared/load-balancer.js';
import { extraMounts, machineBackend } from '../shared/machine-backend.js';
import { controlPlaneEndpoint, failureDomains } from '@slipway/cluster-api/schemas';
import { specTexts } from '../shared/texts.js';

export const devClusterSpec = object(
  {
    backend: object(
      {
        docker: optional(
          object(
            {
              failureDomains: optional(refine(failureDomains, { description: specTexts.failureDomains })),
              loadBalancer: optional(loadBalancer),
            },
            { description: specTexts.devClusterSpecBackendDocker },
          ),
        ),
        inMemory: optional(object({}, { description: specTexts.inMemory })),
      },
      { description: specTexts.devClusterSpecBackend },
    ),
    controlPlaneEndpoint: optional(refine(controlPlaneEndpoint, { description: specTexts.controlPlaneEndpoint })),
  },
  { description: specTexts.devClusterSpec },
);

export const devMachineSpec = object(
  {
    backend: machineBackend,
    providerID: optional(
      string({
        minLength: 1,
        maxLength: 512,
        description: specTexts.devMachineSpecProviderID,
      }),
    ),
  },
  { description: specTexts.devMachineSpec },
);

export const devMachinePoolSpec = object(
  {
    backend: optional(
      object(
        {
          docker: optional(
            object(
              {
                customImage: optional(
                  string({
                    description:
                      'customImage is the image of the containers. Defaults to the kindest/node image of the Kubernetes version.',
                  }),
                ),
                extraMounts: optional(extraMounts),
                preLoadImages: optional(
                  list(string(), {
                    description: 'preLoadImages are images that are loaded into the machines before the bootstrap.',
                  }),
                ),
              },
              {
                description:
                  'docker runs the machines as containers. Not supported by Slipway: leave backend unset to simulate the machines in memory.',
              },
            ),
          ),
        },
        { description: 'backend defines how the machines run.' },
      ),
    ),
    providerID: optional(string({ description: 'providerID identifies the pool at the infrastructure provider.' })),
    providerIDList: optional(
      list(string(), {
        description:
          'providerIDList are the provider IDs of the machines of the pool. Set by the infrastructure provider.',
      }),
    ),
  },
  { description: 'spec is the desired state of the machines of the pool.' },
);
