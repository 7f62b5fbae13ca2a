import { int32, int64, list, object, optional, refine, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Conditions } from '../shared/conditions.js';
import { healthCheckFieldsV1Beta1 } from '../shared/health-check.js';
import { labelSelector } from '../shared/label-selector.js';
import { machineTexts } from '../texts/machines.js';

export const machineHealthCheckSpecV1Beta1 = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    ...healthCheckFieldsV1Beta1,
    selector: refine(labelSelector, {
      description: machineTexts.machineHealthCheckSpecSelector,
    }),
  },
  { description: machineTexts.machineHealthCheckSpec },
);

export const machineHealthCheckStatusV1Beta1 = object(
  {
    conditions: optional(v1beta1Conditions),
    currentHealthy: optional(int32({ minimum: 0, description: machineTexts.currentHealthy })),
    expectedMachines: optional(int32({ minimum: 0, description: machineTexts.expectedMachines })),
    observedGeneration: optional(int64({ description: machineTexts.observedGeneration })),
    remediationsAllowed: optional(int32({ minimum: 0, description: machineTexts.remediationsAllowed })),
    targets: optional(
      list(string({ minLength: 1, maxLength: 253 }), { maxItems: 10000, description: machineTexts.targets }),
    ),
    v1beta2: optional(v1beta2Conditions),
  },
  { description: machineTexts.machineHealthCheckStatus },
);
