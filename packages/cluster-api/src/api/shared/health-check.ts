import { atomicList, enumeration, int32, intOrString, list, object, optional, string } from '@slipway/kube/kit';
import { qualifiedNamePattern, rangePattern } from './patterns.js';
import { templateReference } from './references.js';

export const healthChecks = object(
  {
    nodeStartupTimeoutSeconds: optional(int32({ minimum: 0 })),
    unhealthyMachineConditions: optional(
      atomicList(
        object({
          status: enumeration(['True', 'False', 'Unknown']),
          timeoutSeconds: int32({ minimum: 0 }),
          type: string({
            pattern: qualifiedNamePattern,
            minLength: 1,
            maxLength: 316,
            rules: [
              {
                rule: "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
                message:
                  'must not be a condition that health checks themselves depend on: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
              },
            ],
          }),
        }),
        { minItems: 1, maxItems: 100 },
      ),
    ),
    unhealthyNodeConditions: optional(
      atomicList(
        object({
          status: string({ minLength: 1 }),
          timeoutSeconds: int32({ minimum: 0 }),
          type: string({ minLength: 1 }),
        }),
        { minItems: 1, maxItems: 100 },
      ),
    ),
  },
  { description: 'What makes a machine unhealthy.', minProperties: 1 },
);

const remediationTrigger = object(
  {
    unhealthyInRange: optional(string({ pattern: rangePattern, minLength: 1, maxLength: 32 })),
    unhealthyLessThanOrEqualTo: optional(intOrString()),
  },
  { minProperties: 1 },
);

export const remediation = object(
  {
    templateRef: optional(templateReference),
    triggerIf: optional(remediationTrigger),
  },
  { description: 'What is done about unhealthy machines, and when not.', minProperties: 1 },
);

export const deploymentRemediation = object(
  {
    maxInFlight: optional(intOrString()),
    templateRef: optional(templateReference),
    triggerIf: optional(remediationTrigger),
  },
  { minProperties: 1 },
);

export const unhealthyNodeConditionsV1Beta1 = list(
  object({
    status: string({ minLength: 1 }),
    timeout: string(),
    type: string({ minLength: 1 }),
  }),
  { maxItems: 100 },
);

export const unhealthyMachineConditionsV1Beta1 = atomicList(
  object({
    status: enumeration(['True', 'False', 'Unknown']),
    timeout: string(),
    type: string({
      pattern: qualifiedNamePattern,
      minLength: 1,
      maxLength: 316,
      rules: [
        {
          rule: "!(self in ['Ready','Available','HealthCheckSucceeded','OwnerRemediated','ExternallyRemediated'])",
          message:
            'must not be a condition that health checks themselves depend on: Ready, Available, HealthCheckSucceeded, OwnerRemediated, ExternallyRemediated',
        },
      ],
    }),
  }),
  { minItems: 1, maxItems: 100 },
);
