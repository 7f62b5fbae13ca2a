import { int32, object, optional, refine, string } from '@slipway/kube/kit';
import { gates } from '../shared/gates.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadata } from '../shared/metadata.js';
import { contractReference } from '../shared/references.js';
import { deletionTimeouts } from '../shared/rollout.js';
import { machineTexts } from '../texts/machines.js';

export const machineSpec = object(
  {
    bootstrap: object(
      {
        configRef: optional(refine(contractReference, { description: machineTexts.configRef })),
        dataSecretName: optional(string({ minLength: 0, maxLength: 253, description: machineTexts.dataSecretName })),
      },
      { description: machineTexts.bootstrap },
    ),
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    deletion: optional(deletionTimeouts),
    failureDomain: optional(string({ minLength: 1, maxLength: 256, description: machineTexts.failureDomain })),
    infrastructureRef: refine(contractReference, { description: machineTexts.infrastructureRef }),
    minReadySeconds: optional(int32({ minimum: 0, description: machineTexts.minReadySeconds })),
    providerID: optional(string({ minLength: 1, maxLength: 512, description: machineTexts.providerID })),
    readinessGates: optional(refine(gates, { description: machineTexts.readinessGates })),
    taints: optional(machineTaints),
    version: optional(string({ minLength: 1, maxLength: 256, description: machineTexts.version })),
  },
  { description: machineTexts.machineSpec },
);

export const machineTemplate = object(
  {
    metadata: optional(
      refine(templateMetadata, {
        description: machineTexts.machineTemplateMetadata,
      }),
    ),
    spec: refine(machineSpec, {
      description: machineTexts.machineTemplateSpec,
    }),
  },
  { description: machineTexts.machineTemplate },
);
