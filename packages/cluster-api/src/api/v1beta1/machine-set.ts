import { enumeration, int32, int64, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Counters } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { machineNamingV1Beta1 } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplateV1Beta1 } from './machine-spec.js';

export const machineSetSpecV1Beta1 = object({
  clusterName: string({ minLength: 1, maxLength: 63 }),
  deletePolicy: optional(enumeration(['Random', 'Newest', 'Oldest'])),
  machineNamingStrategy: optional(machineNamingV1Beta1),
  minReadySeconds: optional(int32()),
  replicas: optional(int32()),
  selector: labelSelector,
  template: optional(machineTemplateV1Beta1),
});

export const machineSetStatusV1Beta1 = object({
  availableReplicas: optional(int32()),
  conditions: optional(v1beta1Conditions),
  failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
  failureReason: optional(string()),
  fullyLabeledReplicas: optional(int32()),
  observedGeneration: optional(int64()),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  selector: optional(string({ minLength: 1, maxLength: 4096 })),
  v1beta2: optional(v1beta2Counters),
  versions: optional(statusVersions),
});
