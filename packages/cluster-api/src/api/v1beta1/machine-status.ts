import { boolean, dateTime, enumeration, int64, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Conditions } from '../shared/conditions.js';
import { deletionProgress, nodeInfo } from '../shared/machine-status-parts.js';
import { objectReference } from '../shared/references.js';
import { machineAddresses } from '../shared/status-parts.js';

export const machineStatusV1Beta1 = object({
  addresses: optional(machineAddresses),
  bootstrapReady: optional(boolean()),
  certificatesExpiryDate: optional(dateTime()),
  conditions: optional(v1beta1Conditions),
  deletion: optional(deletionProgress),
  failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
  failureReason: optional(string()),
  infrastructureReady: optional(boolean()),
  lastUpdated: optional(dateTime()),
  nodeInfo: optional(nodeInfo),
  nodeRef: optional(objectReference),
  observedGeneration: optional(int64()),
  phase: optional(
    enumeration(['Pending', 'Provisioning', 'Provisioned', 'Running', 'Deleting', 'Deleted', 'Failed', 'Unknown']),
  ),
  v1beta2: optional(v1beta2Conditions),
});
