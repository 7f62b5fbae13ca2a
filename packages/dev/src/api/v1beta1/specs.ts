import { integer, object, optional, refine, string } from '@slipway/kube/kit';
import { loadBalancer } from '../shared/load-balancer.js';
import { machineBackend } from '../shared/machine-backend.js';
import { failureDomainsV1Beta1 } from '@slipway/cluster-api/schemas';
import { specTexts } from '../shared/texts.js';

export const devClusterSpecV1Beta1 = object(
  {
    backend: object(
      {
        docker: optional(
          object(
            {
              failureDomains: optional(refine(failureDomainsV1Beta1, { description: specTexts.failureDomains })),
              loadBalancer: optional(loadBalancer),
            },
            { description: specTexts.devClusterSpecBackendDocker },
          ),
        ),
        inMemory: optional(object({}, { description: specTexts.inMemory })),
      },
      { description: specTexts.devClusterSpecBackend },
    ),
    controlPlaneEndpoint: optional(
      object(
        {
          host: optional(string({ description: 'host is the host name or IP address of the API server.' })),
          port: optional(integer({ description: 'port is the TCP port of the API server.' })),
        },
        { description: specTexts.controlPlaneEndpoint },
      ),
    ),
  },
  { description: specTexts.devClusterSpec },
);

export const devMachineSpecV1Beta1 = object(
  {
    backend: machineBackend,
    providerID: optional(
      string({
        description: specTexts.devMachineSpecProviderID,
      }),
    ),
  },
  { description: specTexts.devMachineSpec },
);
