import { atomicList, boolean, enumeration, int32, int64, object, optional, string } from '@slipway/kube/kit';
import { replicaCounters } from '../shared/cluster-status-parts.js';
import { conditions, deprecatedFailure } from '../shared/conditions.js';
import { controlPlaneEndpoint } from '../shared/endpoint.js';
import { gates } from '../shared/gates.js';
import { contractReference } from '../shared/references.js';
import { failureDomains } from '../shared/status-parts.js';
import { topology } from './topology.js';

const networkRanges = object({
  cidrBlocks: atomicList(string({ minLength: 1, maxLength: 43 }), { minItems: 1, maxItems: 100 }),
});

const clusterNetwork = object(
  {
    apiServerPort: optional(int32({ minimum: 1, maximum: 65535 })),
    pods: optional(networkRanges),
    serviceDomain: optional(string({ minLength: 1, maxLength: 253 })),
    services: optional(networkRanges),
  },
  { description: 'The address ranges and the domain of the cluster.', minProperties: 1 },
);

export const clusterSpec = object(
  {
    availabilityGates: optional(gates),
    clusterNetwork: optional(clusterNetwork),
    controlPlaneEndpoint: optional(controlPlaneEndpoint),
    controlPlaneRef: optional(contractReference),
    infrastructureRef: optional(contractReference),
    paused: optional(boolean()),
    topology: optional(topology),
  },
  { description: 'What the cluster should be.', minProperties: 1 },
);

export const clusterStatus = object(
  {
    conditions: optional(conditions),
    controlPlane: optional(replicaCounters),
    deprecated: optional(deprecatedFailure),
    failureDomains: optional(failureDomains),
    initialization: optional(
      object(
        {
          controlPlaneInitialized: optional(boolean()),
          infrastructureProvisioned: optional(boolean()),
        },
        { minProperties: 1 },
      ),
    ),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(enumeration(['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown'])),
    workers: optional(replicaCounters),
  },
  { description: 'What was last observed of the cluster.', minProperties: 1 },
);
