import { atomicList, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { classNamingV1Beta1, classTemplateV1Beta1, classUpgrade } from '../shared/class-parts.js';
import { v1beta1Conditions, v1beta2Conditions } from '../shared/conditions.js';
import { gatesV1Beta1 } from '../shared/gates.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { objectReference } from '../shared/references.js';
import { classPatchesV1Beta1 } from './class-patches.js';
import { classVariableStatusV1Beta1, classVariablesV1Beta1 } from './class-variables.js';
import { classHealthCheckV1Beta1, deploymentClassesV1Beta1, poolClassesV1Beta1 } from './class-workers.js';
import { nodeTimeoutsV1Beta1 } from '../shared/rollout.js';
import { classTexts } from '../texts/cluster-class.js';

const controlPlaneClassV1Beta1 = object(
  {
    machineHealthCheck: optional(classHealthCheckV1Beta1),
    machineInfrastructure: optional(refine(classTemplateV1Beta1, { description: classTexts.machineInfrastructure })),
    metadata: optional(
      refine(templateMetadataV1Beta1, {
        description: classTexts.controlPlaneClassMetadata,
      }),
    ),
    namingStrategy: optional(classNamingV1Beta1),
    ...nodeTimeoutsV1Beta1,
    readinessGates: optional(refine(gatesV1Beta1, { description: classTexts.readinessGates })),
    ref: refine(objectReference, {
      description:
        'ref refers to the control plane template. Its group and kind cannot change while a Cluster uses the class.',
    }),
    taints: optional(machineTaints),
  },
  { description: classTexts.controlPlaneClass },
);

export const clusterClassSpecV1Beta1 = object(
  {
    availabilityGates: optional(refine(gatesV1Beta1, { description: classTexts.availabilityGates })),
    controlPlane: optional(controlPlaneClassV1Beta1),
    infrastructure: optional(
      refine(classTemplateV1Beta1, { description: 'infrastructure refers to the infrastructure cluster template.' }),
    ),
    infrastructureNamingStrategy: optional(
      refine(classNamingV1Beta1, {
        description: 'infrastructureNamingStrategy configures how the infrastructure clusters are named.',
      }),
    ),
    kubernetesVersions: optional(
      atomicList(string({ minLength: 1, maxLength: 256 }), {
        minItems: 1,
        maxItems: 100,
        description: classTexts.kubernetesVersions,
      }),
    ),
    patches: optional(classPatchesV1Beta1),
    upgrade: optional(classUpgrade),
    variables: optional(classVariablesV1Beta1),
    workers: optional(
      object(
        {
          machineDeployments: optional(deploymentClassesV1Beta1),
          machinePools: optional(poolClassesV1Beta1),
        },
        { description: classTexts.workers },
      ),
    ),
  },
  {
    description: classTexts.clusterClassSpec,
  },
);

export const clusterClassStatusV1Beta1 = object(
  {
    conditions: optional(v1beta1Conditions),
    observedGeneration: optional(int64({ description: classTexts.observedGeneration })),
    v1beta2: optional(v1beta2Conditions),
    variables: optional(classVariableStatusV1Beta1),
  },
  { description: classTexts.clusterClassStatus },
);
