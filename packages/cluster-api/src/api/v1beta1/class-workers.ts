import { int32, intOrString, list, mapList, object, optional, string } from '@slipway/kube/kit';
import { classNamingV1Beta1, classTemplateV1Beta1 } from '../shared/class-parts.js';
import { gatesV1Beta1 } from '../shared/gates.js';
import { unhealthyMachineConditionsV1Beta1, unhealthyNodeConditionsV1Beta1 } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { rangePattern } from '../shared/patterns.js';
import { objectReference } from '../shared/references.js';
import { deploymentStrategyV1Beta1 } from '../shared/rollout.js';

const workerTemplateV1Beta1 = object({
  bootstrap: classTemplateV1Beta1,
  infrastructure: classTemplateV1Beta1,
  metadata: optional(templateMetadataV1Beta1),
});

export const classHealthCheckV1Beta1 = object({
  maxUnhealthy: optional(intOrString()),
  nodeStartupTimeout: optional(string()),
  remediationTemplate: optional(objectReference),
  unhealthyConditions: optional(unhealthyNodeConditionsV1Beta1),
  unhealthyMachineConditions: optional(unhealthyMachineConditionsV1Beta1),
  unhealthyRange: optional(string({ pattern: rangePattern, minLength: 1, maxLength: 32 })),
});

export const deploymentClassesV1Beta1 = mapList(
  object({
    class: string({ minLength: 1, maxLength: 256 }),
    failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
    machineHealthCheck: optional(classHealthCheckV1Beta1),
    minReadySeconds: optional(int32()),
    namingStrategy: optional(classNamingV1Beta1),
    nodeDeletionTimeout: optional(string()),
    nodeDrainTimeout: optional(string()),
    nodeVolumeDetachTimeout: optional(string()),
    readinessGates: optional(gatesV1Beta1),
    strategy: optional(deploymentStrategyV1Beta1),
    taints: optional(machineTaints),
    template: workerTemplateV1Beta1,
  }),
  ['class'],
  { maxItems: 100 },
);

export const poolClassesV1Beta1 = mapList(
  object({
    class: string({ minLength: 1, maxLength: 256 }),
    failureDomains: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
    minReadySeconds: optional(int32()),
    namingStrategy: optional(classNamingV1Beta1),
    nodeDeletionTimeout: optional(string()),
    nodeDrainTimeout: optional(string()),
    nodeVolumeDetachTimeout: optional(string()),
    taints: optional(machineTaints),
    template: workerTemplateV1Beta1,
  }),
  ['class'],
  { maxItems: 100 },
);
