import { atomicList, int64, object, optional, string } from '@slipway/kube/kit';
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

const controlPlaneClass = object({
  deletion: optional(deletionTimeouts),
  healthCheck: optional(
    object(
      {
        checks: optional(healthChecks),
        remediation: optional(remediation),
      },
      { minProperties: 1 },
    ),
  ),
  machineInfrastructure: optional(classTemplate),
  metadata: optional(templateMetadata),
  naming: optional(classNaming),
  readinessGates: optional(gates),
  taints: optional(machineTaints),
  templateRef: templateReference,
});

export const clusterClassSpec = object(
  {
    availabilityGates: optional(gates),
    controlPlane: controlPlaneClass,
    infrastructure: object({
      naming: optional(classNaming),
      templateRef: templateReference,
    }),
    kubernetesVersions: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 100 })),
    patches: optional(classPatches),
    upgrade: optional(classUpgrade),
    variables: optional(classVariables),
    workers: optional(
      object(
        {
          machineDeployments: optional(deploymentClasses),
          machinePools: optional(poolClasses),
        },
        { minProperties: 1 },
      ),
    ),
  },
  { description: 'The templates, variables and patches that clusters of this class are made from.' },
);

export const clusterClassStatus = object(
  {
    conditions: optional(conditions),
    deprecated: optional(deprecatedConditions),
    observedGeneration: optional(int64({ minimum: 1 })),
    variables: optional(classVariableStatus),
  },
  { minProperties: 1 },
);
