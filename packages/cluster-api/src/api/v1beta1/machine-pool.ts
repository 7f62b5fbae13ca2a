import { boolean, enumeration, int32, int64, list, object, optional, string } from '@slipway/kube/kit';
import { v1beta1Conditions, v1beta2Counters } from '../shared/conditions.js';
import { objectReference } from '../shared/references.js';
import { statusVersions } from '../shared/status-parts.js';
import { machineTemplateV1Beta1 } from './machine-spec.js';
import { machineTexts } from '../texts/machines.js';

export const machinePoolSpecV1Beta1 = object(
  {
    clusterName: string({ minLength: 1, maxLength: 63, description: machineTexts.clusterName }),
    failureDomains: optional(
      list(string({ minLength: 1, maxLength: 256 }), { maxItems: 100, description: machineTexts.failureDomains }),
    ),
    minReadySeconds: optional(int32({ description: machineTexts.minReadySeconds })),
    providerIDList: optional(
      list(string({ minLength: 1, maxLength: 512 }), { maxItems: 10000, description: machineTexts.providerIDList }),
    ),
    replicas: optional(
      int32({
        description: machineTexts.machinePoolSpecReplicas,
      }),
    ),
    template: machineTemplateV1Beta1,
  },
  { description: machineTexts.machinePoolSpec },
);

export const machinePoolStatusV1Beta1 = object(
  {
    availableReplicas: optional(
      int32({
        description: machineTexts.machineDeploymentStatusV1Beta1AvailableReplicas,
      }),
    ),
    bootstrapReady: optional(boolean({ description: machineTexts.bootstrapReady })),
    conditions: optional(v1beta1Conditions),
    failureMessage: optional(string({ minLength: 1, maxLength: 10240, description: machineTexts.failureMessage })),
    failureReason: optional(string({ description: machineTexts.failureReason })),
    infrastructureReady: optional(boolean({ description: machineTexts.infrastructureReady })),
    nodeRefs: optional(list(objectReference, { maxItems: 10000, description: machineTexts.nodeRefs })),
    observedGeneration: optional(int64({ description: machineTexts.observedGeneration })),
    phase: optional(
      enumeration(
        [
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
        ],
        {
          description: machineTexts.machinePoolStatusPhase,
        },
      ),
    ),
    readyReplicas: optional(int32({ description: machineTexts.machineDeploymentStatusV1Beta1ReadyReplicas })),
    replicas: optional(
      int32({
        description: machineTexts.machinePoolStatusReplicas,
      }),
    ),
    unavailableReplicas: optional(int32({ description: machineTexts.unavailableReplicas })),
    v1beta2: optional(v1beta2Counters),
    versions: optional(statusVersions),
  },
  { description: machineTexts.machinePoolStatus },
);
