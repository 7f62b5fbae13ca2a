import { boolean, enumeration, int32, int64, list, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Counters } from '../shared/conditions.js';
import { objectReference } from '../shared/references.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplateV1Beta1 } from './machine-spec.js';

export const machinePoolSpecV1Beta1 = object({
  clusterName: string({ minLength: 1, maxLength: 63 }),
  failureDomains: optional(list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
  minReadySeconds: optional(int32()),
  providerIDList: optional(list(string({ minLength: 1, maxLength: 512 }), { maxItems: 10000 })),
  replicas: optional(int32()),
  template: machineTemplateV1Beta1,
});

export const machinePoolStatusV1Beta1 = object({
  availableReplicas: optional(int32()),
  bootstrapReady: optional(boolean()),
  conditions: optional(v1beta1Conditions),
  failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
  failureReason: optional(string()),
  infrastructureReady: optional(boolean()),
  nodeRefs: optional(list(objectReference, { maxItems: 10000 })),
  observedGeneration: optional(int64()),
  phase: optional(
    enumeration([
      'Pending',
      'Provisioning',
      'Provisioned',
      'Running',
      'ScalingUp',
      'ScalingDown',
      'Scaling',
      'Deleting',
      'Failed',
      'Unknown',
    ]),
  ),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  unavailableReplicas: optional(int32()),
  v1beta2: optional(v1beta2Counters),
  versions: optional(statusVersions),
});
