import { anyValue, atomicList, boolean, int32, mapList, object, optional, string } from '@slipway/kube/kit';
import { gates } from '../shared/gates.js';
import { deploymentRemediation, healthChecks, remediation } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadata } from '../shared/metadata.js';
import { labelPattern, subdomainPattern } from '../shared/patterns.js';
import { deletionTimeouts, deletionTimeoutsWithOrder, rollout, rolloutAfter } from '../shared/rollout.js';

const topologyVariables = mapList(
  object({
    name: string({ minLength: 1, maxLength: 256 }),
    value: anyValue(),
  }),
  ['name'],
  { minItems: 1, maxItems: 1000 },
);

const topologyOverrides = object(
  {
    overrides: optional(topologyVariables),
  },
  { minProperties: 1 },
);

const controlPlaneTopology = object(
  {
    deletion: optional(deletionTimeouts),
    healthCheck: optional(
      object(
        {
          checks: optional(healthChecks),
          enabled: optional(boolean()),
          remediation: optional(remediation),
        },
        { minProperties: 1 },
      ),
    ),
    metadata: optional(templateMetadata),
    readinessGates: optional(gates),
    replicas: optional(int32()),
    rollout: optional(rolloutAfter),
    taints: optional(machineTaints),
    variables: optional(topologyOverrides),
  },
  { minProperties: 1 },
);

const deploymentTopologies = mapList(
  object({
    class: string({ minLength: 1, maxLength: 256 }),
    deletion: optional(deletionTimeoutsWithOrder),
    failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
    healthCheck: optional(
      object(
        {
          checks: optional(healthChecks),
          enabled: optional(boolean()),
          remediation: optional(deploymentRemediation),
        },
        { minProperties: 1 },
      ),
    ),
    metadata: optional(templateMetadata),
    minReadySeconds: optional(int32({ minimum: 0 })),
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 63 }),
    readinessGates: optional(gates),
    replicas: optional(int32()),
    rollout: optional(rollout),
    taints: optional(machineTaints),
    variables: optional(topologyOverrides),
  }),
  ['name'],
  { minItems: 1, maxItems: 2000 },
);

const poolTopologies = mapList(
  object({
    class: string({ minLength: 1, maxLength: 256 }),
    deletion: optional(deletionTimeouts),
    failureDomains: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 100 })),
    metadata: optional(templateMetadata),
    minReadySeconds: optional(int32({ minimum: 0 })),
    name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 63 }),
    replicas: optional(int32()),
    taints: optional(machineTaints),
    variables: optional(topologyOverrides),
  }),
  ['name'],
  { minItems: 1, maxItems: 2000 },
);

export const topology = object(
  {
    classRef: object({
      name: string({ pattern: subdomainPattern, minLength: 1, maxLength: 253 }),
      namespace: optional(string({ pattern: labelPattern, minLength: 1, maxLength: 63 })),
    }),
    controlPlane: optional(controlPlaneTopology),
    variables: optional(topologyVariables),
    version: string({ minLength: 1, maxLength: 256 }),
    workers: optional(
      object(
        {
          machineDeployments: optional(deploymentTopologies),
          machinePools: optional(poolTopologies),
        },
        { minProperties: 1 },
      ),
    ),
  },
  { description: 'The cluster as a ClusterClass and what differs from it.' },
);
