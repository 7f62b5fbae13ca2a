import { anyValue, boolean, dateTime, int32, list, mapList, object, optional, refine, string } from '@slipway/kube/kit';
import { gatesV1Beta1 } from '../shared/gates.js';
import { healthCheckFieldsV1Beta1 } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { labelPattern } from '../shared/patterns.js';
import { deploymentStrategyV1Beta1, rolloutAfter, nodeTimeoutsV1Beta1 } from '../shared/rollout.js';
import { clusterTexts } from '../texts/cluster.js';

const topologyVariablesV1Beta1 = mapList(
  object({
    definitionFrom: optional(
      string({
        maxLength: 256,
        description:
          'definitionFrom defines which definition of the variable the value is for, if patches of the ClusterClass define it differently. Deprecated.',
      }),
    ),
    name: string({ minLength: 1, maxLength: 256, description: clusterTexts.topologyVariablesName }),
    value: anyValue({ description: clusterTexts.value }),
  }),
  ['name'],
  {
    maxItems: 1000,
    description: clusterTexts.topologyVariables,
  },
);

const topologyOverridesV1Beta1 = object(
  {
    overrides: optional(refine(topologyVariablesV1Beta1, { description: clusterTexts.overrides })),
  },
  { description: clusterTexts.topologyOverrides },
);

const topologyHealthCheckV1Beta1 = object(
  {
    enable: optional(
      boolean({
        description:
          'enable turns the MachineHealthCheck on or off. Defaults to true if a MachineHealthCheck is defined here or in the ClusterClass.',
      }),
    ),
    ...healthCheckFieldsV1Beta1,
  },
  {
    description:
      'machineHealthCheck configures the MachineHealthCheck of these Machines. If any check is set, it replaces the one of the ClusterClass.',
  },
);

const controlPlaneTopologyV1Beta1 = object(
  {
    machineHealthCheck: optional(topologyHealthCheckV1Beta1),
    metadata: optional(
      refine(templateMetadataV1Beta1, {
        description: clusterTexts.controlPlaneTopologyMetadata,
      }),
    ),
    ...nodeTimeoutsV1Beta1,
    readinessGates: optional(refine(gatesV1Beta1, { description: clusterTexts.readinessGates })),
    replicas: optional(
      int32({
        description: clusterTexts.controlPlaneTopologyReplicas,
      }),
    ),
    rollout: optional(rolloutAfter),
    taints: optional(machineTaints),
    variables: optional(topologyOverridesV1Beta1),
  },
  {
    description: clusterTexts.controlPlaneTopology,
  },
);

const deploymentTopologiesV1Beta1 = mapList(
  object({
    class: string({
      minLength: 1,
      maxLength: 256,
      description: clusterTexts.deploymentTopologiesClass,
    }),
    failureDomain: optional(string({ minLength: 1, maxLength: 256, description: clusterTexts.failureDomain })),
    machineHealthCheck: optional(topologyHealthCheckV1Beta1),
    metadata: optional(
      refine(templateMetadataV1Beta1, {
        description: clusterTexts.deploymentTopologiesMetadata,
      }),
    ),
    minReadySeconds: optional(int32({ description: clusterTexts.minReadySeconds })),
    name: string({
      minLength: 1,
      maxLength: 63,
      description: clusterTexts.deploymentTopologiesName,
    }),
    ...nodeTimeoutsV1Beta1,
    readinessGates: optional(refine(gatesV1Beta1, { description: clusterTexts.readinessGates })),
    replicas: optional(
      int32({
        description: clusterTexts.deploymentTopologiesReplicas,
      }),
    ),
    rollout: optional(rolloutAfter),
    strategy: optional(deploymentStrategyV1Beta1),
    taints: optional(machineTaints),
    variables: optional(topologyOverridesV1Beta1),
  }),
  ['name'],
  {
    maxItems: 2000,
    description: clusterTexts.deploymentTopologies,
  },
);

const poolTopologiesV1Beta1 = mapList(
  object({
    class: string({
      minLength: 1,
      maxLength: 256,
      description: clusterTexts.poolTopologiesClass,
    }),
    failureDomains: optional(
      list(string({ minLength: 1, maxLength: 256 }), {
        maxItems: 100,
        description: clusterTexts.poolTopologiesFailureDomains,
      }),
    ),
    metadata: optional(
      refine(templateMetadataV1Beta1, {
        description: clusterTexts.poolTopologiesMetadata,
      }),
    ),
    minReadySeconds: optional(int32({ description: clusterTexts.minReadySeconds })),
    name: string({
      minLength: 1,
      maxLength: 63,
      description: clusterTexts.poolTopologiesName,
    }),
    ...nodeTimeoutsV1Beta1,
    replicas: optional(
      int32({
        description: clusterTexts.poolTopologiesReplicas,
      }),
    ),
    taints: optional(machineTaints),
    variables: optional(topologyOverridesV1Beta1),
  }),
  ['name'],
  {
    maxItems: 2000,
    description: clusterTexts.poolTopologies,
  },
);

export const topologyV1Beta1 = object(
  {
    class: string({
      minLength: 1,
      maxLength: 253,
      description: 'class is the name of the ClusterClass. It can only be changed to a compatible ClusterClass.',
    }),
    classNamespace: optional(
      string({
        pattern: labelPattern,
        minLength: 1,
        maxLength: 63,
        description: 'classNamespace is the namespace of the ClusterClass. Defaults to the namespace of the Cluster.',
      }),
    ),
    controlPlane: optional(controlPlaneTopologyV1Beta1),
    rolloutAfter: optional(
      dateTime({
        description:
          'rolloutAfter has no effect. Deprecated: use rollout of the control plane and of each MachineDeployment.',
      }),
    ),
    variables: optional(
      refine(topologyVariablesV1Beta1, {
        description: clusterTexts.topologyVariablesText,
      }),
    ),
    version: string({ minLength: 1, maxLength: 256, description: clusterTexts.version }),
    workers: optional(
      object(
        {
          machineDeployments: optional(deploymentTopologiesV1Beta1),
          machinePools: optional(poolTopologiesV1Beta1),
        },
        { description: clusterTexts.topologyWorkers },
      ),
    ),
  },
  {
    description:
      'topology describes the Cluster by a ClusterClass and its values. The topology controller generates the objects of the Cluster from it. It cannot be removed. Requires the feature gate ClusterTopology.',
  },
);
