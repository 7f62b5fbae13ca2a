import { atomicList, int32, int64, object, optional, string } from '@slipway/kube/kit';
import { conditions, deprecatedConditions } from '../shared/conditions.js';
import { healthChecks, remediation } from '../shared/health-check.js';
import { labelSelector } from '../shared/label-selector.js';

export const machineHealthCheckSpec = object(
  {
    checks: optional(healthChecks),
    clusterName: string({ minLength: 1, maxLength: 63 }),
    remediation: optional(remediation),
    selector: labelSelector,
  },
  { description: 'Which machines are watched and what happens to the unhealthy ones.' },
);

export const machineHealthCheckStatus = object(
  {
    conditions: optional(conditions),
    currentHealthy: optional(int32({ minimum: 0 })),
    deprecated: optional(deprecatedConditions),
    expectedMachines: optional(int32({ minimum: 0 })),
    observedGeneration: optional(int64({ minimum: 1 })),
    remediationsAllowed: optional(int32({ minimum: 0 })),
    targets: optional(atomicList(string({ minLength: 1, maxLength: 253 }), { maxItems: 10000 })),
  },
  { minProperties: 1 },
);
