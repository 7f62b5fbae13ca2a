import { int32, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { deletionOrder, machineNaming } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplate } from './machine-spec.js';
import { machineTexts } from '../texts/machines.js';

export const machineSetSpec = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    deletion: optional(deletionOrder),
    machineNaming: optional(machineNaming),
    replicas: optional(
      int32({
        description: machineTexts.machineDeploymentSpecReplicas,
      }),
    ),
    selector: refine(labelSelector, {
      description: machineTexts.machineSetSpecSelector,
    }),
    template: machineTemplate,
  },
  { description: machineTexts.machineSetSpec },
);

export const machineSetStatus = object(
  {
    availableReplicas: optional(int32({ description: machineTexts.availableReplicas })),
    conditions: optional(conditions),
    deprecated: optional(
      object(
        {
          v1beta1: optional(
            object(
              {
                availableReplicas: optional(int32({ description: machineTexts.deprecatedV1beta1AvailableReplicas })),
                conditions: optional(v1beta1Conditions),
                failureMessage: optional(
                  string({ minLength: 1, maxLength: 10240, description: machineTexts.failureMessage }),
                ),
                failureReason: optional(string({ description: machineTexts.failureReason })),
                fullyLabeledReplicas: optional(int32({ description: machineTexts.fullyLabeledReplicas })),
                readyReplicas: optional(int32({ description: machineTexts.deprecatedV1beta1ReadyReplicas })),
              },
              { description: machineTexts.deprecatedV1beta1 },
            ),
          ),
        },
        {
          description: machineTexts.machineDeploymentStatusDeprecated,
        },
      ),
    ),
    observedGeneration: optional(int64({ minimum: 1, description: machineTexts.observedGeneration })),
    readyReplicas: optional(int32({ description: machineTexts.readyReplicas })),
    replicas: optional(int32({ description: machineTexts.replicas })),
    selector: optional(
      string({
        minLength: 1,
        maxLength: 4096,
        description: machineTexts.machineDeploymentStatusSelector,
      }),
    ),
    upToDateReplicas: optional(int32({ description: machineTexts.upToDateReplicas })),
    versions: optional(statusVersions),
  },
  { minProperties: 1, description: machineTexts.machineSetStatus },
);
