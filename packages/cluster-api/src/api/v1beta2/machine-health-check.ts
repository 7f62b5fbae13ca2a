import { atomicList, int32, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { conditions, deprecatedConditions } from '../shared/conditions.js';
import { healthChecks, remediation } from '../shared/health-check.js';
import { labelSelector } from '../shared/label-selector.js';
import { machineTexts } from '../texts/machines.js';

export const machineHealthCheckSpec = object(
  {
    checks: optional(healthChecks),
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    remediation: optional(remediation),
    selector: refine(labelSelector, {
      description: machineTexts.machineHealthCheckSpecSelector,
    }),
  },
  { description: machineTexts.machineHealthCheckSpec },
);

export const machineHealthCheckStatus = object(
  {
    conditions: optional(conditions),
    currentHealthy: optional(int32({ minimum: 0, description: machineTexts.currentHealthy })),
    deprecated: optional(deprecatedConditions),
    expectedMachines: optional(int32({ minimum: 0, description: machineTexts.expectedMachines })),
    observedGeneration: optional(int64({ minimum: 1, description: machineTexts.observedGeneration })),
    remediationsAllowed: optional(int32({ minimum: 0, description: machineTexts.remediationsAllowed })),
    targets: optional(
      atomicList(string({ minLength: 1, maxLength: 253 }), { maxItems: 10000, description: machineTexts.targets }),
    ),
  },
  { minProperties: 1, description: machineTexts.machineHealthCheckStatus },
);
