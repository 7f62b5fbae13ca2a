import { atomicList, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { classNaming, classTemplate, classUpgrade } from '../shared/class-parts.js';
import { conditions, deprecatedConditions } from '../shared/conditions.js';
import { gates } from '../shared/gates.js';
import { healthChecks, remediation } from '../shared/health-check.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadata } from '../shared/metadata.js';
import { templateReference } from '../shared/references.js';
import { deletionTimeouts } from '../shared/rollout.js';
import { classPatches } from './class-patches.js';
import { classVariables, classVariableStatus } from './class-variables.js';
import { deploymentClasses, poolClasses } from './class-workers.js';
import { classTexts } from '../texts/cluster-class.js';

const controlPlaneClass = object(
  {
    deletion: optional(deletionTimeouts),
    healthCheck: optional(
      object(
        {
          checks: optional(healthChecks),
          remediation: optional(remediation),
        },
        { minProperties: 1, description: classTexts.healthCheck },
      ),
    ),
    machineInfrastructure: optional(refine(classTemplate, { description: classTexts.machineInfrastructure })),
    metadata: optional(
      refine(templateMetadata, {
        description: classTexts.controlPlaneClassMetadata,
      }),
    ),
    naming: optional(classNaming),
    readinessGates: optional(refine(gates, { description: classTexts.readinessGates })),
    taints: optional(machineTaints),
    templateRef: refine(templateReference, {
      description:
        'templateRef refers to the control plane template. Its group and kind cannot change while a Cluster uses the class.',
    }),
  },
  { description: classTexts.controlPlaneClass },
);

export const clusterClassSpec = object(
  {
    availabilityGates: optional(refine(gates, { description: classTexts.availabilityGates })),
    controlPlane: controlPlaneClass,
    infrastructure: object(
      {
        naming: optional(classNaming),
        templateRef: refine(templateReference, {
          description:
            'templateRef refers to the infrastructure cluster template. Its group and kind cannot change while a Cluster uses the class.',
        }),
      },
      { description: 'infrastructure describes the infrastructure of the Clusters.' },
    ),
    kubernetesVersions: optional(
      atomicList(string({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 100,
        description: classTexts.kubernetesVersions,
      }),
    ),
    patches: optional(classPatches),
    upgrade: optional(classUpgrade),
    variables: optional(classVariables),
    workers: optional(
      object(
        {
          machineDeployments: optional(deploymentClasses),
          machinePools: optional(poolClasses),
        },
        { minProperties: 1, description: classTexts.workers },
      ),
    ),
  },
  {
    description: classTexts.clusterClassSpec,
  },
);

export const clusterClassStatus = object(
  {
    conditions: optional(conditions),
    deprecated: optional(deprecatedConditions),
    observedGeneration: optional(int64({ minimum: 1, description: classTexts.observedGeneration })),
    variables: optional(classVariableStatus),
  },
  { minProperties: 1, description: classTexts.clusterClassStatus },
);
