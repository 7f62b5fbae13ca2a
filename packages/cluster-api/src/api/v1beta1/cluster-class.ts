import { atomicList, int64, object, optional, string } from '@slipway/kube/kit';
import { classNamingV1Beta1, classTemplateV1Beta1, classUpgrade } from '../shared/class-parts.js';
import { v1beta1Conditions, v1beta2Conditions } from '../shared/conditions.js';
import { gatesV1Beta1 } from '../shared/gates.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { objectReference } from '../shared/references.js';
import { classPatchesV1Beta1 } from './class-patches.js';
import { classVariableStatusV1Beta1, classVariablesV1Beta1 } from './class-variables.js';
import { classHealthCheckV1Beta1, deploymentClassesV1Beta1, poolClassesV1Beta1 } from './class-workers.js';

const controlPlaneClassV1Beta1 = object({
  machineHealthCheck: optional(classHealthCheckV1Beta1),
  machineInfrastructure: optional(classTemplateV1Beta1),
  metadata: optional(templateMetadataV1Beta1),
  namingStrategy: optional(classNamingV1Beta1),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  readinessGates: optional(gatesV1Beta1),
  ref: objectReference,
  taints: optional(machineTaints),
});

export const clusterClassSpecV1Beta1 = object({
  availabilityGates: optional(gatesV1Beta1),
  controlPlane: optional(controlPlaneClassV1Beta1),
  infrastructure: optional(classTemplateV1Beta1),
  infrastructureNamingStrategy: optional(classNamingV1Beta1),
  kubernetesVersions: optional(atomicList(string({ minLength: 1, maxLength: 256 }), { minItems: 1, maxItems: 100 })),
  patches: optional(classPatchesV1Beta1),
  upgrade: optional(classUpgrade),
  variables: optional(classVariablesV1Beta1),
  workers: optional(
    object({
      machineDeployments: optional(deploymentClassesV1Beta1),
      machinePools: optional(poolClassesV1Beta1),
    }),
  ),
});

export const clusterClassStatusV1Beta1 = object({
  conditions: optional(v1beta1Conditions),
  observedGeneration: optional(int64()),
  v1beta2: optional(v1beta2Conditions),
  variables: optional(classVariableStatusV1Beta1),
});
