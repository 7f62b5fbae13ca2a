import { dateTime, enumeration, int32, intOrString, object, optional, string } from '@slipway/kube/kit';

export const deletionTimeouts = object(
  {
    nodeDeletionTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeDrainTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeVolumeDetachTimeoutSeconds: optional(int32({ minimum: 0 })),
  },
  { description: 'How long each step of a deletion may take.', minProperties: 1 },
);

export const deletionTimeoutsWithOrder = object(
  {
    nodeDeletionTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeDrainTimeoutSeconds: optional(int32({ minimum: 0 })),
    nodeVolumeDetachTimeoutSeconds: optional(int32({ minimum: 0 })),
    order: optional(enumeration(['Random', 'Newest', 'Oldest'])),
  },
  { description: 'Which machines go first, and how long each step of a deletion may take.', minProperties: 1 },
);

export const deletionOrder = object(
  {
    order: optional(enumeration(['Random', 'Newest', 'Oldest'])),
  },
  { minProperties: 1 },
);

export const rolloutStrategy = object(
  {
    rollingUpdate: optional(
      object(
        {
          maxSurge: optional(intOrString()),
          maxUnavailable: optional(intOrString()),
        },
        { minProperties: 1 },
      ),
    ),
    type: enumeration(['RollingUpdate', 'OnDelete']),
  },
  { minProperties: 1 },
);

export const rollout = object(
  {
    after: optional(dateTime()),
    strategy: optional(rolloutStrategy),
  },
  { description: 'When and how machines are replaced.', minProperties: 1 },
);

export const rolloutAfter = object(
  {
    after: optional(dateTime()),
  },
  { minProperties: 1 },
);

export const deploymentStrategyV1Beta1 = object({
  remediation: optional(
    object({
      maxInFlight: optional(intOrString()),
    }),
  ),
  rollingUpdate: optional(
    object({
      deletePolicy: optional(enumeration(['Random', 'Newest', 'Oldest'])),
      maxSurge: optional(intOrString()),
      maxUnavailable: optional(intOrString()),
    }),
  ),
  type: optional(enumeration(['RollingUpdate', 'OnDelete'])),
});

export const machineNaming = object(
  {
    template: optional(string({ minLength: 1, maxLength: 256 })),
  },
  { description: 'How machines are named.', minProperties: 1 },
);

export const machineNamingV1Beta1 = object({
  template: optional(string({ minLength: 1, maxLength: 256 })),
});
