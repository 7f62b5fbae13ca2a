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
import { kubeadmConfigSpec } from './kubeadm-config-spec.js';
import {
  conditions,
  contractReference,
  deletionTimeouts,
  gates,
  machineNaming,
  machineTaints,
  statusVersions,
  templateMetadata,
  v1beta1Conditions,
} from '@slipway/cluster-api/schemas';
import { controlPlaneTexts } from '../texts/control-plane.js';

export const controlPlaneRollout = object(
  {
    after: optional(dateTime({ description: controlPlaneTexts.after })),
    before: optional(
      object(
        {
          certificatesExpiryDays: optional(
            int32({ minimum: 7, description: controlPlaneTexts.certificatesExpiryDays }),
          ),
        },
        { minProperties: 1, description: controlPlaneTexts.before },
      ),
    ),
    strategy: optional(
      object(
        {
          rollingUpdate: optional(
            object(
              {
                maxSurge: optional(intOrString({ description: controlPlaneTexts.maxSurge })),
              },
              { minProperties: 1, description: controlPlaneTexts.rollingUpdate },
            ),
          ),
          type: enumeration(['RollingUpdate'], { description: controlPlaneTexts.type }),
        },
        { minProperties: 1, description: controlPlaneTexts.strategy },
      ),
    ),
  },
  { minProperties: 1, description: controlPlaneTexts.controlPlaneRollout },
);

export const controlPlaneRemediation = object(
  {
    maxRetry: optional(int32({ description: controlPlaneTexts.maxRetry })),
    minHealthyPeriodSeconds: optional(int32({ minimum: 0, description: controlPlaneTexts.minHealthyPeriodSeconds })),
    retryPeriodSeconds: optional(int32({ minimum: 0, description: controlPlaneTexts.retryPeriodSeconds })),
  },
  { minProperties: 1, description: controlPlaneTexts.controlPlaneRemediation },
);

export const kubeadmControlPlaneSpec = object(
  {
    kubeadmConfigSpec: optional(refine(kubeadmConfigSpec, { description: controlPlaneTexts.kubeadmConfigSpec })),
    machineNaming: optional(machineNaming),
    machineTemplate: object(
      {
        metadata: optional(refine(templateMetadata, { description: controlPlaneTexts.machineTemplateMetadata })),
        spec: object(
          {
            deletion: optional(deletionTimeouts),
            infrastructureRef: refine(contractReference, { description: controlPlaneTexts.infrastructureRef }),
            readinessGates: optional(refine(gates, { description: controlPlaneTexts.readinessGates })),
            taints: optional(machineTaints),
          },
          { description: controlPlaneTexts.machineTemplateSpec },
        ),
      },
      { description: controlPlaneTexts.machineTemplate },
    ),
    remediation: optional(controlPlaneRemediation),
    replicas: optional(int32({ description: controlPlaneTexts.kubeadmControlPlaneSpecV1Beta1Replicas })),
    rollout: optional(controlPlaneRollout),
    version: string({
      minLength: 1,
      maxLength: 256,
      description: controlPlaneTexts.kubeadmControlPlaneSpecV1Beta1Version,
    }),
  },
  { description: controlPlaneTexts.kubeadmControlPlaneSpecV1Beta1 },
);

export const kubeadmControlPlaneStatus = object(
  {
    availableReplicas: optional(int32({ description: controlPlaneTexts.availableReplicas })),
    conditions: optional(conditions),
    deprecated: optional(
      object(
        {
          v1beta1: optional(
            object(
              {
                conditions: optional(v1beta1Conditions),
                failureMessage: optional(
                  string({ minLength: 1, maxLength: 10240, description: controlPlaneTexts.failureMessage }),
                ),
                failureReason: optional(string({ description: controlPlaneTexts.failureReason })),
                readyReplicas: optional(
                  int32({ description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1ReadyReplicas }),
                ),
                unavailableReplicas: optional(int32({ description: controlPlaneTexts.unavailableReplicas })),
                updatedReplicas: optional(int32({ description: controlPlaneTexts.updatedReplicas })),
              },
              { description: controlPlaneTexts.deprecatedV1beta1 },
            ),
          ),
        },
        { description: controlPlaneTexts.deprecated },
      ),
    ),
    initialization: optional(
      object(
        {
          controlPlaneInitialized: optional(boolean({ description: controlPlaneTexts.controlPlaneInitialized })),
        },
        { minProperties: 1, description: controlPlaneTexts.initialization },
      ),
    ),
    lastRemediation: optional(
      object(
        {
          machine: string({ minLength: 1, maxLength: 253, description: controlPlaneTexts.lastRemediationMachine }),
          retryCount: int32({ minimum: 0, description: controlPlaneTexts.retryCount }),
          time: dateTime({ description: controlPlaneTexts.time }),
        },
        { description: controlPlaneTexts.lastRemediation },
      ),
    ),
    observedGeneration: optional(int64({ minimum: 1, description: controlPlaneTexts.observedGeneration })),
    readyReplicas: optional(int32({ description: controlPlaneTexts.readyReplicas })),
    replicas: optional(int32({ description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1Replicas })),
    selector: optional(
      string({
        minLength: 1,
        maxLength: 4096,
        description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1Selector,
      }),
    ),
    upToDateReplicas: optional(int32({ description: controlPlaneTexts.upToDateReplicas })),
    version: optional(
      string({ minLength: 1, maxLength: 256, description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1Version }),
    ),
    versions: optional(statusVersions),
  },
  { description: controlPlaneTexts.kubeadmControlPlaneStatusV1Beta1, minProperties: 1 },
);
