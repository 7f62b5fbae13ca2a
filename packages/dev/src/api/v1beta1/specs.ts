import { integer, object, optional, string } from '@slipway/kube/kit';
import { loadBalancer } from '../shared/load-balancer.js';
import { machineBackend } from '../shared/machine-backend.js';
import { failureDomainsV1Beta1 } from '@slipway/cluster-api/schemas';

export const devClusterSpecV1Beta1 = object({
  backend: object({
    docker: optional(
      object({
        failureDomains: optional(failureDomainsV1Beta1),
        loadBalancer: optional(loadBalancer),
      }),
    ),
    inMemory: optional(object({})),
  }),
  controlPlaneEndpoint: optional(
    object({
      host: optional(string()),
      port: optional(integer()),
    }),
  ),
});

export const devMachineSpecV1Beta1 = object({
  backend: machineBackend,
  providerID: optional(string()),
});
