import { boolean, enumeration, int32, int64, intOrString, object, optional, refine, string } from '@slipway/kube/kit';
import { conditions, v1beta1Conditions } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { deletionOrder, machineNaming, rollout } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplate } from './machine-spec.js';
import { machineTexts } from '../texts/machines.js';

export const machineDeploymentSpec = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    deletion: optional(deletionOrder),
    machineNaming: optional(machineNaming),
    paused: optional(
      boolean({
        description: machineTexts.machineDeploymentSpecPaused,
      }),
    ),
    remediation: optional(
      object(
        {
          maxInFlight: optional(
            intOrString({
              description:
                'maxInFlight is how many Machines may be under remediation at the same time. An absolute number, or a percentage of the replicas, rounded up. Defaults to no limit.',
            }),
          ),
        },
        { minProperties: 1, description: 'remediation limits the remediation of unhealthy Machines.' },
      ),
    ),
    replicas: optional(
      int32({
        description: machineTexts.machineDeploymentSpecReplicas,
      }),
    ),
    rollout: optional(rollout),
    selector: refine(labelSelector, {
      description: machineTexts.machineDeploymentSpecSelector,
    }),
    template: machineTemplate,
  },
  { description: machineTexts.machineDeploymentSpec },
);

export const machineDeploymentStatus = object(
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
                readyReplicas: optional(int32({ description: machineTexts.deprecatedV1beta1ReadyReplicas })),
                unavailableReplicas: optional(int32({ description: machineTexts.unavailableReplicas })),
                updatedReplicas: optional(int32({ description: machineTexts.updatedReplicas })),
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
    phase: optional(
      enumeration(['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'], {
        description: machineTexts.machineDeploymentStatusPhase,
      }),
    ),
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
  { minProperties: 1, description: machineTexts.machineDeploymentStatus },
);
