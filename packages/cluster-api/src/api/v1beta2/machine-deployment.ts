import { boolean, enumeration, int32, int64, intOrString, object, optional, string } from '@slipway/kube/kit';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { deletionOrder, machineNaming, rollout } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplate } from './machine-spec.js';

export const machineDeploymentSpec = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63 }),
    deletion: optional(deletionOrder),
    machineNaming: optional(machineNaming),
    paused: optional(boolean()),
    remediation: optional(
      object(
        {
          maxInFlight: optional(intOrString()),
        },
        { minProperties: 1 },
      ),
    ),
    replicas: optional(int32()),
    rollout: optional(rollout),
    selector: labelSelector,
    template: machineTemplate,
  },
  { description: 'How many machines of which shape should exist, and how they are replaced when the shape changes.' },
);

export const machineDeploymentStatus = object(
  {
    availableReplicas: optional(int32()),
    conditions: optional(conditions),
    deprecated: optional(
      object({
        v1beta1: optional(
          object({
            availableReplicas: optional(int32()),
            conditions: optional(v1beta1Conditions),
            readyReplicas: optional(int32()),
            unavailableReplicas: optional(int32()),
            updatedReplicas: optional(int32()),
          }),
        ),
      }),
    ),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(enumeration(['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'])),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    selector: optional(string({ minLength: 1, maxLength: 4096 })),
    upToDateReplicas: optional(int32()),
    versions: optional(statusVersions),
  },
  { minProperties: 1 },
);
