import { object, optional, string } from '@slipway/kube/kit';
import { gatesV1Beta1 } from '../shared/gates.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadataV1Beta1 } from '../shared/metadata.js';
import { objectReference } from '../shared/references.js';

export const machineSpecV1Beta1 = object({
  bootstrap: object({
    configRef: optional(objectReference),
    dataSecretName: optional(string({ minLength: 0, maxLength: 253 })),
  }),
  clusterName: string({ minLength: 1, maxLength: 63 }),
  failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
  infrastructureRef: objectReference,
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  providerID: optional(string({ minLength: 1, maxLength: 512 })),
  readinessGates: optional(gatesV1Beta1),
  taints: optional(machineTaints),
  version: optional(string({ minLength: 1, maxLength: 256 })),
});

export const machineTemplateV1Beta1 = object({
  metadata: optional(templateMetadataV1Beta1),
  spec: optional(machineSpecV1Beta1),
});
