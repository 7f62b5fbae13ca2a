import { boolean, enumeration, int32, int64, list, object, optional, refine, string } from '@slipway/kube/kit';
import { replicaCounters } from '../shared/cluster-status-parts.js';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { gatesV1Beta1 } from '../shared/gates.js';
import { objectReference } from '../shared/references.js';
import { failureDomainsV1Beta1 } from '../shared/status-parts.js';
import { topologyV1Beta1 } from './topology.js';
import { clusterTexts } from '../texts/cluster.js';

const networkRangesV1Beta1 = object(
  {
    cidrBlocks: list(string({ minLength: 1, maxLength: 43 }), { maxItems: 100, description: clusterTexts.cidrBlocks }),
  },
  { description: clusterTexts.networkRanges },
);

const clusterNetworkV1Beta1 = object(
  {
    apiServerPort: optional(int32({ description: clusterTexts.apiServerPort })),
    pods: optional(refine(networkRangesV1Beta1, { description: clusterTexts.pods })),
    serviceDomain: optional(string({ minLength: 1, maxLength: 253, description: clusterTexts.serviceDomain })),
    services: optional(refine(networkRangesV1Beta1, { description: clusterTexts.services })),
  },
  { description: 'clusterNetwork is the network configuration of the cluster.' },
);

export const clusterSpecV1Beta1 = object(
  {
    availabilityGates: optional(refine(gatesV1Beta1, { description: clusterTexts.availabilityGates })),
    clusterNetwork: optional(refine(clusterNetworkV1Beta1, { description: clusterTexts.clusterNetwork })),
    controlPlaneEndpoint: optional(
      object(
        {
          host: optional(
            string({ maxLength: 512, description: 'host is the host name or IP address of the API server.' }),
          ),
          port: optional(int32({ description: 'port is the TCP port of the API server.' })),
        },
        {
          description: clusterTexts.clusterSpecControlPlaneEndpoint,
        },
      ),
    ),
    controlPlaneRef: optional(refine(objectReference, { description: clusterTexts.controlPlaneRef })),
    infrastructureRef: optional(
      refine(objectReference, {
        description: clusterTexts.clusterSpecInfrastructureRef,
      }),
    ),
    paused: optional(boolean({ description: clusterTexts.paused })),
    topology: optional(refine(topologyV1Beta1, { description: clusterTexts.topology })),
  },
  {
    description: clusterTexts.clusterSpec,
  },
);

export const clusterStatusV1Beta1 = object(
  {
    conditions: optional(v1beta1Conditions),
    controlPlaneReady: optional(
      boolean({
        description: 'controlPlaneReady is true if the control plane provider reports the control plane as ready.',
      }),
    ),
    failureDomains: optional(failureDomainsV1Beta1),
    failureMessage: optional(
      string({
        minLength: 1,
        maxLength: 10240,
        description: 'failureMessage describes a terminal failure. Deprecated: use conditions.',
      }),
    ),
    failureReason: optional(
      string({
        description: 'failureReason is a machine-readable reason of a terminal failure. Deprecated: use conditions.',
      }),
    ),
    infrastructureReady: optional(
      boolean({
        description:
          'infrastructureReady is true once the infrastructure provider has provisioned the infrastructure of the cluster.',
      }),
    ),
    observedGeneration: optional(int64({ description: clusterTexts.observedGeneration })),
    phase: optional(
      enumeration(['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown'], {
        description: clusterTexts.phase,
      }),
    ),
    v1beta2: optional(
      object(
        {
          conditions: optional(conditions),
          controlPlane: optional(refine(replicaCounters, { description: clusterTexts.clusterStatusControlPlane })),
          workers: optional(refine(replicaCounters, { description: clusterTexts.clusterStatusWorkers })),
        },
        { description: 'v1beta2 holds the status in the form of the v1beta2 API.' },
      ),
    ),
  },
  { description: clusterTexts.clusterStatus },
);
