import { boolean, dateTime, enumeration, int32, int64, intOrString, object, optional, string } from '@slipway/kube/kit';
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

export const controlPlaneRollout = object(
  {
    after: optional(dateTime()),
    before: optional(
      object(
        {
          certificatesExpiryDays: optional(int32({ minimum: 7 })),
        },
        { minProperties: 1 },
      ),
    ),
    strategy: optional(
      object(
        {
          rollingUpdate: optional(
            object(
              {
                maxSurge: optional(intOrString()),
              },
              { minProperties: 1 },
            ),
          ),
          type: enumeration(['RollingUpdate']),
        },
        { minProperties: 1 },
      ),
    ),
  },
  { minProperties: 1 },
);

export const controlPlaneRemediation = object(
  {
    maxRetry: optional(int32()),
    minHealthyPeriodSeconds: optional(int32({ minimum: 0 })),
    retryPeriodSeconds: optional(int32({ minimum: 0 })),
  },
  { minProperties: 1 },
);

export const kubeadmControlPlaneSpec = object(
  {
    kubeadmConfigSpec: optional(kubeadmConfigSpec),
    machineNaming: optional(machineNaming),
    machineTemplate: object({
      metadata: optional(templateMetadata),
      spec: object({
        deletion: optional(deletionTimeouts),
        infrastructureRef: contractReference,
        readinessGates: optional(gates),
        taints: optional(machineTaints),
      }),
    }),
    remediation: optional(controlPlaneRemediation),
    replicas: optional(int32()),
    rollout: optional(controlPlaneRollout),
    version: string({ minLength: 1, maxLength: 256 }),
  },
  { description: 'How many control plane machines of which version and shape should exist.' },
);

export const kubeadmControlPlaneStatus = object(
  {
    availableReplicas: optional(int32()),
    conditions: optional(conditions),
    deprecated: optional(
      object({
        v1beta1: optional(
          object({
            conditions: optional(v1beta1Conditions),
            failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
            failureReason: optional(string()),
            readyReplicas: optional(int32()),
            unavailableReplicas: optional(int32()),
            updatedReplicas: optional(int32()),
          }),
        ),
      }),
    ),
    initialization: optional(
      object(
        {
          controlPlaneInitialized: optional(boolean()),
        },
        { minProperties: 1 },
      ),
    ),
    lastRemediation: optional(
      object({
        machine: string({ minLength: 1, maxLength: 253 }),
        retryCount: int32({ minimum: 0 }),
        time: dateTime(),
      }),
    ),
    observedGeneration: optional(int64({ minimum: 1 })),
    readyReplicas: optional(int32()),
    replicas: optional(int32()),
    selector: optional(string({ minLength: 1, maxLength: 4096 })),
    upToDateReplicas: optional(int32()),
    version: optional(string({ minLength: 1, maxLength: 256 })),
    versions: optional(statusVersions),
  },
  { description: 'What was last observed of the control plane.', minProperties: 1 },
);
