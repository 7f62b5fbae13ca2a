import { int32, int64, object, optional, string } from '@slipway/kube/kit';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { deletionOrder, machineNaming } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplate } from './machine-spec.js';

export const machineSetSpec = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63 }),
    deletion: optional(deletionOrder),
    machineNaming: optional(machineNaming),
    replicas: optional(int32()),
    selector: labelSelector,
    template: machineTemplate,
  },
  { description: 'How many machines of which shape should exist.' },
);

export const machineSetStatus = object(
  {
    availableReplicas: optional(int32()),
    conditions: optional(conditions),
    deprecated: optional(
      object({
        v1beta1: optional(
          object({
            availableReplicas: optional(int32()),
            conditions: optional(v1beta1Conditions),
            failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
            failureReason: optional(string()),
            fullyLabeledReplicas: optional(int32()),
            readyReplicas: optional(int32()),
          }),
        ),
      }),
    ),
    observedGeneration: optional(int64({ minimum: 1 })),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    selector: optional(string({ minLength: 1, maxLength: 4096 })),
    upToDateReplicas: optional(int32()),
    versions: optional(statusVersions),
  },
  { minProperties: 1 },
);
