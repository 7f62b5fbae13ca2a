import { atomicList, int32, mapList, object, optional, refine, string } from '@slipway/kube/kit';
import { classNaming, classTemplate } from '../shared/class-parts.js';
import { gates } from '../shared/gates.js';
import { deploymentRemediation, healthChecks } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadata } from '../shared/metadata.js';
import { deletionTimeouts, deletionTimeoutsWithOrder, rolloutStrategy } from '../shared/rollout.js';
import { classTexts } from '../texts/cluster-class.js';

export const deploymentClasses = mapList(
  object({
    bootstrap: refine(classTemplate, { description: classTexts.bootstrap }),
    class: string({
      minLength: 1,
      maxLength: 256,
      description: classTexts.deploymentClassesClass,
    }),
    deletion: optional(deletionTimeoutsWithOrder),
    failureDomain: optional(string({ minLength: 1, maxLength: 256, description: classTexts.failureDomain })),
    healthCheck: optional(
      object(
        {
          checks: optional(healthChecks),
          remediation: optional(deploymentRemediation),
        },
        { minProperties: 1, description: classTexts.healthCheck },
      ),
    ),
    infrastructure: refine(classTemplate, {
      description: classTexts.deploymentClassesInfrastructure,
    }),
    metadata: optional(
      refine(templateMetadata, {
        description: classTexts.deploymentClassesMetadata,
      }),
    ),
    minReadySeconds: optional(int32({ minimum: 0, description: classTexts.minReadySeconds })),
    naming: optional(classNaming),
    readinessGates: optional(refine(gates, { description: classTexts.readinessGates })),
    rollout: optional(
      object(
        {
          strategy: optional(rolloutStrategy),
        },
        { minProperties: 1, description: 'rollout configures how Machines are replaced. A Cluster can override it.' },
      ),
    ),
    taints: optional(machineTaints),
  }),
  ['class'],
  {
    minItems: 1,
    maxItems: 100,
    description: classTexts.deploymentClasses,
  },
);

export const poolClasses = mapList(
  object({
    bootstrap: refine(classTemplate, { description: classTexts.bootstrap }),
    class: string({
      minLength: 1,
      maxLength: 256,
      description: classTexts.poolClassesClass,
    }),
    deletion: optional(deletionTimeouts),
    failureDomains: optional(
      atomicList(string({ minLength: 1, maxLength: 256 }), { maxItems: 100, description: classTexts.failureDomains }),
    ),
    infrastructure: refine(classTemplate, {
      description: classTexts.deploymentClassesInfrastructure,
    }),
    metadata: optional(
      refine(templateMetadata, {
        description: classTexts.deploymentClassesMetadata,
      }),
    ),
    minReadySeconds: optional(int32({ minimum: 0, description: classTexts.minReadySeconds })),
    naming: optional(classNaming),
    taints: optional(machineTaints),
  }),
  ['class'],
  {
    minItems: 1,
    maxItems: 100,
    description: classTexts.poolClasses,
  },
);
