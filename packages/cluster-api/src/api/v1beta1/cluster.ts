import { boolean, enumeration, int32, int64, list, object, optional, string } from '@slipway/kube/kit';
import { replicaCounters } from '../shared/cluster-status-parts.js';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { gatesV1Beta1 } from '../shared/gates.js';
import { objectReference } from '../shared/references.js';
import { failureDomainsV1Beta1 } from '../shared/status-parts.js';
import { topologyV1Beta1 } from './topology.js';

const networkRangesV1Beta1 = object({
  cidrBlocks: list(string({ minLength: 1, maxLength: 43 }), { maxItems: 100 }),
});

const clusterNetworkV1Beta1 = object({
  apiServerPort: optional(int32()),
  pods: optional(networkRangesV1Beta1),
  serviceDomain: optional(string({ minLength: 1, maxLength: 253 })),
  services: optional(networkRangesV1Beta1),
});

export const clusterSpecV1Beta1 = object({
  availabilityGates: optional(gatesV1Beta1),
  clusterNetwork: optional(clusterNetworkV1Beta1),
  controlPlaneEndpoint: optional(
    object({
      host: optional(string({ maxLength: 512 })),
      port: optional(int32()),
    }),
  ),
  controlPlaneRef: optional(objectReference),
  infrastructureRef: optional(objectReference),
  paused: optional(boolean()),
  topology: optional(topologyV1Beta1),
});

export const clusterStatusV1Beta1 = object({
  conditions: optional(v1beta1Conditions),
  controlPlaneReady: optional(boolean()),
  failureDomains: optional(failureDomainsV1Beta1),
  failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
  failureReason: optional(string()),
  infrastructureReady: optional(boolean()),
  observedGeneration: optional(int64()),
  phase: optional(enumeration(['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown'])),
  v1beta2: optional(
    object({
      conditions: optional(conditions),
      controlPlane: optional(replicaCounters),
      workers: optional(replicaCounters),
    }),
  ),
});
