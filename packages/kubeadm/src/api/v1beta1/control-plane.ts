import {
  boolean,
  dateTime,
  enumeration,
  int32,
  int64,
  intOrString,
  object,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { kubeadmConfigSpecV1Beta1 } from './kubeadm-config-spec.js';
import {
  gatesV1Beta1,
  machineNamingV1Beta1,
  machineTaints,
  nodeTimeoutsV1Beta1,
  objectReference,
  statusVersions,
  templateMetadataV1Beta1,
  v1beta1Conditions,
  v1beta2Counters,
} from '@slipway/cluster-api/schemas';
import { controlPlaneTexts } from '../texts/control-plane.js';

export const rolloutBeforeV1Beta1 = object(
  {
    certificatesExpiryDays: optional(int32({ description: controlPlaneTexts.certificatesExpiryDays })),
  },
  { description: controlPlaneTexts.rolloutBeforeV1Beta1 },
);

export const controlPlaneRolloutV1Beta1 = object(
  {
    rollingUpdate: optional(
      object(
        {
          maxSurge: optional(intOrString({ description: controlPlaneTexts.maxSurge })),
        },
        { description: controlPlaneTexts.rollingUpdate },
      ),
    ),
    type: optional(enumeration(['RollingUpdate'], { description: controlPlaneTexts.type })),
  },
  {
    default: { rollingUpdate: { maxSurge: 1 }, type: 'RollingUpdate' },
    description: controlPlaneTexts.controlPlaneRolloutV1Beta1,
  },
);

export const controlPlaneRemediationV1Beta1 = object(
  {
    maxRetry: optional(int32({ description: controlPlaneTexts.maxRetry })),
    minHealthyPeriod: optional(string({ description: controlPlaneTexts.minHealthyPeriod })),
    retryPeriod: optional(string({ description: controlPlaneTexts.retryPeriod })),
  },
  { description: controlPlaneTexts.controlPlaneRemediationV1Beta1 },
);

export const kubeadmControlPlaneSpecV1Beta1 = object(
  {
    kubeadmConfigSpec: refine(kubeadmConfigSpecV1Beta1, { description: controlPlaneTexts.kubeadmConfigSpec }),
    machineNamingStrategy: optional(machineNamingV1Beta1),
    machineTemplate: object(
      {
        infrastructureRef: refine(objectReference, { description: controlPlaneTexts.infrastructureRef }),
        metadata: optional(refine(templateMetadataV1Beta1, { description: controlPlaneTexts.machineTemplateMetadata })),
        ...nodeTimeoutsV1Beta1,
        readinessGates: optional(refine(gatesV1Beta1, { description: controlPlaneTexts.readinessGates })),
        taints: optional(machineTaints),
      },
      { description: controlPlaneTexts.machineTemplate },
    ),
    remediationStrategy: optional(controlPlaneRemediationV1Beta1),
    replicas: optional(int32({ description: controlPlaneTexts.kubeadmControlPlaneSpecV1Beta1Replicas })),
    rolloutAfter: optional(dateTime({ description: controlPlaneTexts.rolloutAfter })),
    rolloutBefore: optional(rolloutBeforeV1Beta1),
    rolloutStrategy: optional(controlPlaneRolloutV1Beta1),
    version: string({
      minLength: 1,
      maxLength: 256,
      description: controlPlaneTexts.kubeadmControlPlaneSpecV1Beta1Version,
    }),
  },
  { description: controlPlaneTexts.kubeadmControlPlaneSpecV1Beta1 },
);

export const kubeadmControlPlaneStatusV1Beta1 = object(
  {
    conditions: optional(v1beta1Conditions),
    failureMessage: optional(string({ minLength: 1, maxLength: 10240, description: controlPlaneTexts.failureMessage })),
    failureReason: optional(string({ description: controlPlaneTexts.failureReason })),
    initialized: optional(boolean({ description: controlPlaneTexts.initialized })),
    lastRemediation: optional(
      object(
        {
          machine: string({ minLength: 1, maxLength: 253, description: controlPlaneTexts.lastRemediationMachine }),
          retryCount: int32({ description: controlPlaneTexts.retryCount }),
          timestamp: dateTime({ description: controlPlaneTexts.timestamp }),
        },
        { description: controlPlaneTexts.lastRemediation },
      ),
    ),
    observedGeneration: optional(int64({ description: controlPlaneTexts.observedGeneration })),
    ready: optional(boolean({ description: controlPlaneTexts.ready })),
    readyReplicas: optional(int32({ description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1ReadyReplicas })),
    replicas: optional(int32({ description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1Replicas })),
    selector: optional(
      string({
        minLength: 1,
        maxLength: 4096,
        description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1Selector,
      }),
    ),
    unavailableReplicas: optional(int32({ description: controlPlaneTexts.unavailableReplicas })),
    updatedReplicas: optional(int32({ description: controlPlaneTexts.updatedReplicas })),
    v1beta2: optional(v1beta2Counters),
    version: optional(
      string({ minLength: 1, maxLength: 256, description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1Version }),
    ),
    versions: optional(statusVersions),
  },
  { description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1 },
);
