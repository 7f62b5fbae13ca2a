import { boolean, dateTime, enumeration, int32, int64, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Counters } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { deploymentStrategyV1Beta1, machineNamingV1Beta1 } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplateV1Beta1 } from './machine-spec.js';

export const machineDeploymentSpecV1Beta1 = object({
  clusterName: string({ minLength: 1, maxLength: 63 }),
  machineNamingStrategy: optional(machineNamingV1Beta1),
  minReadySeconds: optional(int32()),
  paused: optional(boolean()),
  progressDeadlineSeconds: optional(int32()),
  replicas: optional(int32()),
  revisionHistoryLimit: optional(int32()),
  rolloutAfter: optional(dateTime()),
  selector: labelSelector,
  strategy: optional(deploymentStrategyV1Beta1),
  template: machineTemplateV1Beta1,
});

export const machineDeploymentStatusV1Beta1 = object({
  availableReplicas: optional(int32()),
  conditions: optional(v1beta1Conditions),
  observedGeneration: optional(int64()),
  phase: optional(enumeration(['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'])),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  selector: optional(string({ minLength: 1, maxLength: 4096 })),
  unavailableReplicas: optional(int32()),
  updatedReplicas: optional(int32()),
  v1beta2: optional(v1beta2Counters),
  versions: optional(statusVersions),
});
