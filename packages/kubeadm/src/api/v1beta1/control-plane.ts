import { boolean, dateTime, enumeration, int32, int64, intOrString, object, optional, string } from '@slipway/kube/kit';
import { kubeadmConfigSpecV1Beta1 } from './kubeadm-config-spec.js';
import {
  gatesV1Beta1,
  machineNamingV1Beta1,
  machineTaints,
  objectReference,
  statusVersions,
  templateMetadataV1Beta1,
  v1beta1Conditions,
  v1beta2Counters,
} from '@slipway/cluster-api/schemas';

export const rolloutBeforeV1Beta1 = object({
  certificatesExpiryDays: optional(int32()),
});

export const controlPlaneRolloutV1Beta1 = object(
  {
    rollingUpdate: optional(
      object({
        maxSurge: optional(intOrString()),
      }),
    ),
    type: optional(enumeration(['RollingUpdate'])),
  },
  { default: { rollingUpdate: { maxSurge: 1 }, type: 'RollingUpdate' } },
);

export const controlPlaneRemediationV1Beta1 = object({
  maxRetry: optional(int32()),
  minHealthyPeriod: optional(string()),
  retryPeriod: optional(string()),
});

export const kubeadmControlPlaneSpecV1Beta1 = object({
  kubeadmConfigSpec: kubeadmConfigSpecV1Beta1,
  machineNamingStrategy: optional(machineNamingV1Beta1),
  machineTemplate: object({
    infrastructureRef: objectReference,
    metadata: optional(templateMetadataV1Beta1),
    nodeDeletionTimeout: optional(string()),
    nodeDrainTimeout: optional(string()),
    nodeVolumeDetachTimeout: optional(string()),
    readinessGates: optional(gatesV1Beta1),
    taints: optional(machineTaints),
  }),
  remediationStrategy: optional(controlPlaneRemediationV1Beta1),
  replicas: optional(int32()),
  rolloutAfter: optional(dateTime()),
  rolloutBefore: optional(rolloutBeforeV1Beta1),
  rolloutStrategy: optional(controlPlaneRolloutV1Beta1),
  version: string({ minLength: 1, maxLength: 256 }),
});

export const kubeadmControlPlaneStatusV1Beta1 = object({
  conditions: optional(v1beta1Conditions),
  failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
  failureReason: optional(string()),
  initialized: optional(boolean()),
  lastRemediation: optional(
    object({
      machine: string({ minLength: 1, maxLength: 253 }),
      retryCount: int32(),
      timestamp: dateTime(),
    }),
  ),
  observedGeneration: optional(int64()),
  ready: optional(boolean()),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  selector: optional(string({ minLength: 1, maxLength: 4096 })),
  unavailableReplicas: optional(int32()),
  updatedReplicas: optional(int32()),
  v1beta2: optional(v1beta2Counters),
  version: optional(string({ minLength: 1, maxLength: 256 })),
  versions: optional(statusVersions),
});
