import { atomicList, boolean, enumeration, int32, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { replicaCounters } from '../shared/cluster-status-parts.js';
import { conditions, deprecatedFailure } from '../shared/conditions.js';
import { controlPlaneEndpoint } from '../shared/endpoint.js';
import { gates } from '../shared/gates.js';
import { contractReference } from '../shared/references.js';
import { failureDomains } from '../shared/status-parts.js';
import { topology } from './topology.js';
import { clusterTexts } from '../texts/cluster.js';

const networkRanges = object(
  {
    cidrBlocks: atomicList(string({ minLength: 1, maxLength: 43 }), {
      minItems: 1,
      maxItems: 100,
      description: clusterTexts.cidrBlocks,
    }),
  },
  { description: clusterTexts.networkRanges },
);

const clusterNetwork = object(
  {
    apiServerPort: optional(int32({ minimum: 1, maximum: 65535, description: clusterTexts.apiServerPort })),
    pods: optional(refine(networkRanges, { description: clusterTexts.pods })),
    serviceDomain: optional(string({ minLength: 1, maxLength: 253, description: clusterTexts.serviceDomain })),
    services: optional(refine(networkRanges, { description: clusterTexts.services })),
  },
  { description: clusterTexts.clusterNetwork, minProperties: 1 },
);

export const clusterSpec = object(
  {
    availabilityGates: optional(refine(gates, { description: clusterTexts.availabilityGates })),
    clusterNetwork: optional(refine(clusterNetwork, { description: clusterTexts.clusterNetwork })),
    controlPlaneEndpoint: optional(
      refine(controlPlaneEndpoint, {
        description: clusterTexts.clusterSpecControlPlaneEndpoint,
      }),
    ),
    controlPlaneRef: optional(refine(contractReference, { description: clusterTexts.controlPlaneRef })),
    infrastructureRef: optional(
      refine(contractReference, {
        description: clusterTexts.clusterSpecInfrastructureRef,
      }),
    ),
    paused: optional(boolean({ description: clusterTexts.paused })),
    topology: optional(refine(topology, { description: clusterTexts.topology })),
  },
  {
    description: clusterTexts.clusterSpec,
    minProperties: 1,
  },
);

export const clusterStatus = object(
  {
    conditions: optional(conditions),
    controlPlane: optional(refine(replicaCounters, { description: clusterTexts.clusterStatusControlPlane })),
    deprecated: optional(deprecatedFailure),
    failureDomains: optional(failureDomains),
    initialization: optional(
      object(
        {
          controlPlaneInitialized: optional(
            boolean({
              description:
                'controlPlaneInitialized is true once the API server of the cluster has been able to serve requests.',
            }),
          ),
          infrastructureProvisioned: optional(
            boolean({
              description:
                'infrastructureProvisioned is true once the infrastructure provider has provisioned the infrastructure of the cluster.',
            }),
          ),
        },
        {
          minProperties: 1,
          description:
            'initialization records which steps of the first provisioning are complete. Its fields never change back to false.',
        },
      ),
    ),
    observedGeneration: optional(int64({ minimum: 1, description: clusterTexts.observedGeneration })),
    phase: optional(
      enumeration(['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown'], {
        description: clusterTexts.phase,
      }),
    ),
    workers: optional(refine(replicaCounters, { description: clusterTexts.clusterStatusWorkers })),
  },
  { description: clusterTexts.clusterStatus, minProperties: 1 },
);
