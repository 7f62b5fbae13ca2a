import { int32, list, mapList, object, optional, refine, string } from '@slipway/kube/kit';
import { classNamingV1Beta1, classTemplateV1Beta1 } from '../shared/class-parts.js';
import { gatesV1Beta1 } from '../shared/gates.js';
import { healthCheckFieldsV1Beta1 } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { deploymentStrategyV1Beta1, nodeTimeoutsV1Beta1 } from '../shared/rollout.js';
import { classTexts } from '../texts/cluster-class.js';

const workerTemplateV1Beta1 = object(
  {
    bootstrap: refine(classTemplateV1Beta1, { description: classTexts.bootstrap }),
    infrastructure: refine(classTemplateV1Beta1, {
      description: classTexts.deploymentClassesInfrastructure,
    }),
    metadata: optional(
      refine(templateMetadataV1Beta1, {
        description: classTexts.deploymentClassesMetadata,
      }),
    ),
  },
  { description: 'template is the set of templates from which the worker objects are created.' },
);

export const classHealthCheckV1Beta1 = object(
  {
    ...healthCheckFieldsV1Beta1,
  },
  {
    description:
      'machineHealthCheck configures a MachineHealthCheck for these Machines. A Cluster can override it or turn it off.',
  },
);

export const deploymentClassesV1Beta1 = mapList(
  object({
    class: string({
      minLength: 1,
      maxLength: 256,
      description: classTexts.deploymentClassesClass,
    }),
    failureDomain: optional(string({ minLength: 1, maxLength: 256, description: classTexts.failureDomain })),
    machineHealthCheck: optional(classHealthCheckV1Beta1),
    minReadySeconds: optional(int32({ description: classTexts.minReadySeconds })),
    namingStrategy: optional(classNamingV1Beta1),
    ...nodeTimeoutsV1Beta1,
    readinessGates: optional(refine(gatesV1Beta1, { description: classTexts.readinessGates })),
    strategy: optional(deploymentStrategyV1Beta1),
    taints: optional(machineTaints),
    template: workerTemplateV1Beta1,
  }),
  ['class'],
  {
    maxItems: 100,
    description: classTexts.deploymentClasses,
  },
);

export const poolClassesV1Beta1 = mapList(
  object({
    class: string({
      minLength: 1,
      maxLength: 256,
      description: classTexts.poolClassesClass,
    }),
    failureDomains: optional(
      list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100, description: classTexts.failureDomains }),
    ),
    minReadySeconds: optional(int32({ description: classTexts.minReadySeconds })),
    namingStrategy: optional(classNamingV1Beta1),
    ...nodeTimeoutsV1Beta1,
    taints: optional(machineTaints),
    template: workerTemplateV1Beta1,
  }),
  ['class'],
  {
    maxItems: 100,
    description: classTexts.poolClasses,
  },
);
