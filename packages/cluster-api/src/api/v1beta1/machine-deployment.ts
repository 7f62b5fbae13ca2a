import { boolean, dateTime, enumeration, int32, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Counters } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { deploymentStrategyV1Beta1, machineNamingV1Beta1 } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplateV1Beta1 } from './machine-spec.js';
import { machineTexts } from '../texts/machines.js';

export const machineDeploymentSpecV1Beta1 = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    machineNamingStrategy: optional(machineNamingV1Beta1),
    minReadySeconds: optional(int32({ description: machineTexts.minReadySeconds })),
    paused: optional(
      boolean({
        description: machineTexts.machineDeploymentSpecPaused,
      }),
    ),
    progressDeadlineSeconds: optional(int32({ description: 'progressDeadlineSeconds has no effect. Deprecated.' })),
    replicas: optional(
      int32({
        description: machineTexts.machineDeploymentSpecReplicas,
      }),
    ),
    revisionHistoryLimit: optional(
      int32({
        description:
          'revisionHistoryLimit has no effect: old MachineSets are deleted when a rollout is complete. Deprecated.',
      }),
    ),
    rolloutAfter: optional(
      dateTime({
        description:
          'rolloutAfter triggers a rollout of all Machines created before this time, once this time has passed.',
      }),
    ),
    selector: refine(labelSelector, {
      description: machineTexts.machineDeploymentSpecSelector,
    }),
    strategy: optional(deploymentStrategyV1Beta1),
    template: machineTemplateV1Beta1,
  },
  { description: machineTexts.machineDeploymentSpec },
);

export const machineDeploymentStatusV1Beta1 = object(
  {
    availableReplicas: optional(
      int32({
        description: machineTexts.machineDeploymentStatusV1Beta1AvailableReplicas,
      }),
    ),
    conditions: optional(v1beta1Conditions),
    observedGeneration: optional(int64({ description: machineTexts.observedGeneration })),
    phase: optional(
      enumeration(['ScalingUp', 'ScalingDown', 'Running', 'Failed', 'Unknown'], {
        description: machineTexts.machineDeploymentStatusPhase,
      }),
    ),
    readyReplicas: optional(int32({ description: machineTexts.machineDeploymentStatusV1Beta1ReadyReplicas })),
    replicas: optional(int32({ description: machineTexts.replicas })),
    selector: optional(
      string({
        minLength: 1,
        maxLength: 4096,
        description: machineTexts.machineDeploymentStatusSelector,
      }),
    ),
    unavailableReplicas: optional(int32({ description: machineTexts.unavailableReplicas })),
    updatedReplicas: optional(int32({ description: machineTexts.updatedReplicas })),
    v1beta2: optional(v1beta2Counters),
    versions: optional(statusVersions),
  },
  { description: machineTexts.machineDeploymentStatus },
);
