import { int32, int64, intOrString, list, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Conditions } from '../shared/conditions.js';
import { unhealthyMachineConditionsV1Beta1, unhealthyNodeConditionsV1Beta1 } from '../shared/health-check.js';
import { labelSelector } from '../shared/label-selector.js';
import { rangePattern } from '../shared/patterns.js';
import { objectReference } from '../shared/references.js';

export const machineHealthCheckSpecV1Beta1 = object({
  clusterName: string({ minLength: 1, maxLength: 63 }),
  maxUnhealthy: optional(intOrString()),
  nodeStartupTimeout: optional(string()),
  remediationTemplate: optional(objectReference),
  selector: labelSelector,
  unhealthyConditions: optional(unhealthyNodeConditionsV1Beta1),
  unhealthyMachineConditions: optional(unhealthyMachineConditionsV1Beta1),
  unhealthyRange: optional(string({ pattern: rangePattern, minLength: 1, maxLength: 32 })),
});

export const machineHealthCheckStatusV1Beta1 = object({
  conditions: optional(v1beta1Conditions),
  currentHealthy: optional(int32({ minimum: 0 })),
  expectedMachines: optional(int32({ minimum: 0 })),
  observedGeneration: optional(int64()),
  remediationsAllowed: optional(int32({ minimum: 0 })),
  targets: optional(list(string({ minLength: 1, maxLength: 253 }), { maxItems: 10000 })),
  v1beta2: optional(v1beta2Conditions),
});
