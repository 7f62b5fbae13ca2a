import { enumeration, int32, int64, object, optional, refine, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Counters } from '../shared/conditions.js';
import { labelSelector } from '../shared/label-selector.js';
import { machineNamingV1Beta1 } from '../shared/rollout.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplateV1Beta1 } from './machine-spec.js';
import { machineTexts } from '../texts/machines.js';

export const machineSetSpecV1Beta1 = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    deletePolicy: optional(
      enumeration(['Random', 'Newest', 'Oldest'], {
        description:
          'deletePolicy defines which healthy Machines are deleted first on scale-down. One of Random, Newest, Oldest. Defaults to Random.',
      }),
    ),
    machineNamingStrategy: optional(machineNamingV1Beta1),
    minReadySeconds: optional(int32({ description: machineTexts.minReadySeconds })),
    replicas: optional(
      int32({
        description: machineTexts.machineDeploymentSpecReplicas,
      }),
    ),
    selector: refine(labelSelector, {
      description: machineTexts.machineSetSpecSelector,
    }),
    template: optional(machineTemplateV1Beta1),
  },
  { description: machineTexts.machineSetSpec },
);

export const machineSetStatusV1Beta1 = object(
  {
    availableReplicas: optional(
      int32({
        description: machineTexts.machineDeploymentStatusV1Beta1AvailableReplicas,
      }),
    ),
    conditions: optional(v1beta1Conditions),
    failureMessage: optional(string({ minLength: 1, maxLength: 10240, description: machineTexts.failureMessage })),
    failureReason: optional(string({ description: machineTexts.failureReason })),
    fullyLabeledReplicas: optional(int32({ description: machineTexts.fullyLabeledReplicas })),
    observedGeneration: optional(int64({ description: machineTexts.observedGeneration })),
    readyReplicas: optional(int32({ description: machineTexts.machineDeploymentStatusV1Beta1ReadyReplicas })),
    replicas: optional(int32({ description: machineTexts.replicas })),
    selector: optional(
      string({
        minLength: 1,
        maxLength: 4096,
        description: machineTexts.machineDeploymentStatusSelector,
      }),
    ),
    v1beta2: optional(v1beta2Counters),
    versions: optional(statusVersions),
  },
  { description: machineTexts.machineSetStatus },
);
