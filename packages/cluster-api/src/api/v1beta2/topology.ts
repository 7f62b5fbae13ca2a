import { anyValue, atomicList, boolean, int32, mapList, object, optional, refine, string } from '@slipway/kube/kit';
import { gates } from '../shared/gates.js';
import { deploymentRemediation, healthChecks, remediation } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadata } from '../shared/metadata.js';
import { labelPattern, subdomainPattern } from '../shared/patterns.js';
import { deletionTimeouts, deletionTimeoutsWithOrder, rollout, rolloutAfter } from '../shared/rollout.js';
import { clusterTexts } from '../texts/cluster.js';

const topologyVariables = mapList(
  object({
    name: string({ minLength: 1, maxLength: 256, description: clusterTexts.topologyVariablesName }),
    value: anyValue({ description: clusterTexts.value }),
  }),
  ['name'],
  {
    minItems: 1,
    maxItems: 1000,
    description: clusterTexts.topologyVariables,
  },
);

const topologyOverrides = object(
  {
    overrides: optional(refine(topologyVariables, { description: clusterTexts.overrides })),
  },
  { minProperties: 1, description: clusterTexts.topologyOverrides },
);

const controlPlaneTopology = object(
  {
    deletion: optional(deletionTimeouts),
    healthCheck: optional(
      object(
        {
          checks: optional(healthChecks),
          enabled: optional(boolean({ description: clusterTexts.enabled })),
          remediation: optional(remediation),
        },
        { minProperties: 1, description: clusterTexts.healthCheck },
      ),
    ),
    metadata: optional(
      refine(templateMetadata, {
        description: clusterTexts.controlPlaneTopologyMetadata,
      }),
    ),
    readinessGates: optional(refine(gates, { description: clusterTexts.readinessGates })),
    replicas: optional(
      int32({
        description: clusterTexts.controlPlaneTopologyReplicas,
      }),
    ),
    rollout: optional(rolloutAfter),
    taints: optional(machineTaints),
    variables: optional(topologyOverrides),
  },
  {
    minProperties: 1,
    description: clusterTexts.controlPlaneTopology,
  },
);

const deploymentTopologies = mapList(
  object({
    class: string({
      minLength: 1,
      maxLength: 256,
      description: clusterTexts.deploymentTopologiesClass,
    }),
    deletion: optional(deletionTimeoutsWithOrder),
    failureDomain: optional(string({ minLength: 1, maxLength: 256, description: clusterTexts.failureDomain })),
    healthCheck: optional(
      object(
        {
          checks: optional(healthChecks),
          enabled: optional(boolean({ description: clusterTexts.enabled })),
          remediation: optional(deploymentRemediation),
        },
        { minProperties: 1, description: clusterTexts.healthCheck },
      ),
    ),
    metadata: optional(
      refine(templateMetadata, {
        description: clusterTexts.deploymentTopologiesMetadata,
      }),
    ),
    minReadySeconds: optional(int32({ minimum: 0, description: clusterTexts.minReadySeconds })),
    name: string({
      pattern: subdomainPattern,
      minLength: 1,
      maxLength: 63,
      description: clusterTexts.deploymentTopologiesName,
    }),
    readinessGates: optional(refine(gates, { description: clusterTexts.readinessGates })),
    replicas: optional(
      int32({
        description: clusterTexts.deploymentTopologiesReplicas,
      }),
    ),
    rollout: optional(rollout),
    taints: optional(machineTaints),
    variables: optional(topologyOverrides),
  }),
  ['name'],
  {
    minItems: 1,
    maxItems: 2000,
    description: clusterTexts.deploymentTopologies,
  },
);

const poolTopologies = mapList(
  object({
    class: string({
      minLength: 1,
      maxLength: 256,
      description: clusterTexts.poolTopologiesClass,
    }),
    deletion: optional(deletionTimeouts),
    failureDomains: optional(
      atomicList(string({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 100,
        description: clusterTexts.poolTopologiesFailureDomains,
      }),
    ),
    metadata: optional(
      refine(templateMetadata, {
        description: clusterTexts.poolTopologiesMetadata,
      }),
    ),
    minReadySeconds: optional(int32({ minimum: 0, description: clusterTexts.minReadySeconds })),
    name: string({
      pattern: subdomainPattern,
      minLength: 1,
      maxLength: 63,
      description: clusterTexts.poolTopologiesName,
    }),
    replicas: optional(
      int32({
        description: clusterTexts.poolTopologiesReplicas,
      }),
    ),
    taints: optional(machineTaints),
    variables: optional(topologyOverrides),
  }),
  ['name'],
  {
    minItems: 1,
    maxItems: 2000,
    description: clusterTexts.poolTopologies,
  },
);

export const topology = object(
  {
    classRef: object(
      {
        name: string({
          pattern: subdomainPattern,
          minLength: 1,
          maxLength: 253,
          description: 'name is the name of the ClusterClass.',
        }),
        namespace: optional(
          string({
            pattern: labelPattern,
            minLength: 1,
            maxLength: 63,
            description: 'namespace is the namespace of the ClusterClass. Defaults to the namespace of the Cluster.',
          }),
        ),
      },
      { description: 'classRef refers to the ClusterClass. It can only be changed to a compatible ClusterClass.' },
    ),
    controlPlane: optional(controlPlaneTopology),
    variables: optional(
      refine(topologyVariables, {
        description: clusterTexts.topologyVariablesText,
      }),
    ),
    version: string({ minLength: 1, maxLength: 256, description: clusterTexts.version }),
    workers: optional(
      object(
        {
          machineDeployments: optional(deploymentTopologies),
          machinePools: optional(poolTopologies),
        },
        { minProperties: 1, description: clusterTexts.topologyWorkers },
      ),
    ),
  },
  { description: clusterTexts.topology },
);
