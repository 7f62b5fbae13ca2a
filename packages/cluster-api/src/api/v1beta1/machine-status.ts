import { boolean, dateTime, enumeration, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Conditions } from '../shared/conditions.js';
import { deletionProgress, nodeInfo } from '../shared/machine-status-parts.js';
import { objectReference } from '../shared/references.js';
import { machineAddresses } from '../shared/status-parts.js';
import { machineTexts } from '../texts/machines.js';

export const machineStatusV1Beta1 = object(
  {
    addresses: optional(refine(machineAddresses, { description: machineTexts.addresses })),
    bootstrapReady: optional(boolean({ description: machineTexts.bootstrapReady })),
    certificatesExpiryDate: optional(dateTime({ description: machineTexts.certificatesExpiryDate })),
    conditions: optional(v1beta1Conditions),
    deletion: optional(deletionProgress),
    failureMessage: optional(string({ minLength: 1, maxLength: 10240, description: machineTexts.failureMessage })),
    failureReason: optional(string({ description: machineTexts.failureReason })),
    infrastructureReady: optional(boolean({ description: machineTexts.infrastructureReady })),
    lastUpdated: optional(dateTime({ description: machineTexts.lastUpdated })),
    nodeInfo: optional(nodeInfo),
    nodeRef: optional(refine(objectReference, { description: machineTexts.nodeRef })),
    observedGeneration: optional(int64({ description: machineTexts.observedGeneration })),
    phase: optional(
      enumeration(['Pending', 'Provisioning', 'Provisioned', 'Running', 'Deleting', 'Deleted', 'Failed', 'Unknown'], {
        description: machineTexts.machineStatusPhase,
      }),
    ),
    v1beta2: optional(v1beta2Conditions),
  },
  { description: machineTexts.machineStatus },
);
