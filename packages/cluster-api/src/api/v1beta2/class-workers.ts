import { atomicList, int32, mapList, object, optional, string } from '@slipway/kube/kit';
import { classNaming, classTemplate } from '../shared/class-parts.js';
import { gates } from '../shared/gates.js';
import { deploymentRemediation, healthChecks } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadata } from '../shared/metadata.js';
import { deletionTimeouts, deletionTimeoutsWithOrder, rolloutStrategy } from '../shared/rollout.js';

export const deploymentClasses = mapList(
  object({
    bootstrap: classTemplate,
    class: string({ minLength: 1, maxLength: 256 }),
    deletion: optional(deletionTimeoutsWithOrder),
    failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
    healthCheck: optional(
      object(
        {
          checks: optional(healthChecks),
          remediation: optional(deploymentRemediation),
        },
        { minProperties: 1 },
      ),
    ),
    infrastructure: classTemplate,
    metadata: optional(templateMetadata),
    minReadySeconds: optional(int32({ minimum: 0 })),
    naming: optional(classNaming),
    readinessGates: optional(gates),
    rollout: optional(
      object(
        {
          strategy: optional(rolloutStrategy),
        },
        { minProperties: 1 },
      ),
    ),
    taints: optional(machineTaints),
  }),
  ['class'],
  { minItems: 1, maxItems: 100 },
);

export const poolClasses = mapList(
  object({
    bootstrap: classTemplate,
    class: string({ minLength: 1, maxLength: 256 }),
    deletion: optional(deletionTimeouts),
    failureDomains: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
    infrastructure: classTemplate,
    metadata: optional(templateMetadata),
    minReadySeconds: optional(int32({ minimum: 0 })),
    naming: optional(classNaming),
    taints: optional(machineTaints),
  }),
  ['class'],
  { minItems: 1, maxItems: 100 },
);
