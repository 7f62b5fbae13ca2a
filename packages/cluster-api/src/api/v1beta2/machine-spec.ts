import { int32, object, optional, string } from '@slipway/kube/kit';
import { gates } from '../shared/gates.js';
import { machineTaints } from '../shared/machine-taints.js';
import { templateMetadata } from '../shared/metadata.js';
import { contractReference } from '../shared/references.js';
import { deletionTimeouts } from '../shared/rollout.js';

export const machineSpec = object(
  {
    bootstrap: object({
      configRef: optional(contractReference),
      dataSecretName: optional(string({ minLength: 0, maxLength: 253 })),
    }),
    clusterName: string({ minLength: 1, maxLength: 63 }),
    deletion: optional(deletionTimeouts),
    failureDomain: optional(string({ minLength: 1, maxLength: 256 })),
    infrastructureRef: contractReference,
    minReadySeconds: optional(int32({ minimum: 0 })),
    providerID: optional(string({ minLength: 1, maxLength: 512 })),
    readinessGates: optional(gates),
    taints: optional(machineTaints),
    version: optional(string({ minLength: 1, maxLength: 256 })),
  },
  { description: 'What a machine should be.' },
);

export const machineTemplate = object(
  {
    metadata: optional(templateMetadata),
    spec: machineSpec,
  },
  { description: 'What new machines look like.' },
);
