import {
  anyValue,
  boolean,
  dateTime,
  int32,
  intOrString,
  list,
  mapList,
  object,
  optional,
  string,
} from '@slipway/kube/kit';
import { gatesV1Beta1 } from '../shared/gates.js';
import { unhealthyMachineConditionsV1Beta1, unhealthyNodeConditionsV1Beta1 } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { labelPattern, rangePattern } from '../shared/patterns.js';
import { objectReference } from '../shared/references.js';
import { deploymentStrategyV1Beta1, rolloutAfter } from '../shared/rollout.js';

const topologyVariablesV1Beta1 = mapList(
  object({
    definitionFrom: optional(string({ maxLength: 256 })),
    name: string({ minLength: 1, maxLength: 256 }),
    value: anyValue(),
  }),
  ['name'],
  { maxItems: 1000 },
);

const topologyOverridesV1Beta1 = object({
  overrides: optional(topologyVariablesV1Beta1),
});

const topologyHealthCheckV1Beta1 = object({
  enable: optional(boolean()),
  maxUnhealthy: optional(intOrString()),
  nodeStartupTimeout: optional(string()),
  remediationTemplate: optional(objectReference),
  unhealthyConditions: optional(unhealthyNodeConditionsV1Beta1),
  unhealthyMachineConditions: optional(unhealthyMachineConditionsV1Beta1),
  unhealthyRange: optional(string({ pattern: rangePattern, minLength: 1, maxLength: 32 })),
});

const controlPlaneTopologyV1Beta1 = object({
  machineHealthCheck: optional(topologyHealthCheckV1Beta1),
  metadata: optional(templateMetadataV1Beta1),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  readinessGates: optional(gatesV1Beta1),
  replicas: optional(int32()),
  rollout: optional(rolloutAfter),
  taints: optional(machineTaints),
  variables: optional(topologyOverridesV1Beta1),
});

const deploymentTopologiesV1Beta1 = mapList(
  object({
    class: string({ minLength: 1, maxLength: 256 }),
    failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
    machineHealthCheck: optional(topologyHealthCheckV1Beta1),
    metadata: optional(templateMetadataV1Beta1),
    minReadySeconds: optional(int32()),
    name: string({ minLength: 1, maxLength: 63 }),
    nodeDeletionTimeout: optional(string()),
    nodeDrainTimeout: optional(string()),
    nodeVolumeDetachTimeout: optional(string()),
    readinessGates: optional(gatesV1Beta1),
    replicas: optional(int32()),
    rollout: optional(rolloutAfter),
    strategy: optional(deploymentStrategyV1Beta1),
    taints: optional(machineTaints),
    variables: optional(topologyOverridesV1Beta1),
  }),
  ['name'],
  { maxItems: 2000 },
);

const poolTopologiesV1Beta1 = mapList(
  object({
    class: string({ minLength: 1, maxLength: 256 }),
    failureDomains: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
    metadata: optional(templateMetadataV1Beta1),
    minReadySeconds: optional(int32()),
    name: string({ minLength: 1, maxLength: 63 }),
    nodeDeletionTimeout: optional(string()),
    nodeDrainTimeout: optional(string()),
    nodeVolumeDetachTimeout: optional(string()),
    replicas: optional(int32()),
    taints: optional(machineTaints),
    variables: optional(topologyOverridesV1Beta1),
  }),
  ['name'],
  { maxItems: 2000 },
);

export const topologyV1Beta1 = object({
  class: string({ minLength: 1, maxLength: 253 }),
  classNamespace: optional(string({ pattern: labelPattern, minLength: 1, maxLength: 63 })),
  controlPlane: optional(controlPlaneTopologyV1Beta1),
  rolloutAfter: optional(dateTime()),
  variables: optional(topologyVariablesV1Beta1),
  version: string({ minLength: 1, maxLength: 256 }),
  workers: optional(
    object({
      machineDeployments: optional(deploymentTopologiesV1Beta1),
      machinePools: optional(poolTopologiesV1Beta1),
    }),
  ),
});
