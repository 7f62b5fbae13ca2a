import { object, optional, refine, string } from '@slipway/kube/kit';
import { gatesV1Beta1 } from '../shared/gates.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { objectReference } from '../shared/references.js';
import { nodeTimeoutsV1Beta1 } from '../shared/rollout.js';
import { machineTexts } from '../texts/machines.js';

export const machineSpecV1Beta1 = object(
  {
    bootstrap: object(
      {
        configRef: optional(refine(objectReference, { description: machineTexts.configRef })),
        dataSecretName: optional(string({ minLength: 0, maxLength: 253, description: machineTexts.dataSecretName })),
      },
      { description: machineTexts.bootstrap },
    ),
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    failureDomain: optional(string({ minLength: 1, maxLength: 256, description: machineTexts.failureDomain })),
    infrastructureRef: refine(objectReference, { description: machineTexts.infrastructureRef }),
    ...nodeTimeoutsV1Beta1,
    providerID: optional(string({ minLength: 1, maxLength: 512, description: machineTexts.providerID })),
    readinessGates: optional(refine(gatesV1Beta1, { description: machineTexts.readinessGates })),
    taints: optional(machineTaints),
    version: optional(string({ minLength: 1, maxLength: 256, description: machineTexts.version })),
  },
  { description: machineTexts.machineSpec },
);

export const machineTemplateV1Beta1 = object(
  {
    metadata: optional(
      refine(templateMetadataV1Beta1, {
        description: machineTexts.machineTemplateMetadata,
      }),
    ),
    spec: optional(
      refine(machineSpecV1Beta1, {
        description: machineTexts.machineTemplateSpec,
      }),
    ),
  },
  { description: machineTexts.machineTemplate },
);
