import { dateTime, enumeration, int32, intOrString, object, optional, string } from '@slipway/kube/kit';

const texts = {
  nodeDeletionTimeoutSeconds:
    'nodeDeletionTimeoutSeconds is how long, in seconds, the deletion of the Node is retried, counted from the deletion of the Machine. Defaults to 10. 0 retries without limit.',
  nodeDrainTimeoutSeconds:
    'nodeDrainTimeoutSeconds is how long, in seconds, the drain of the Node may take before the deletion continues without it. Defaults to 0: no limit.',
  nodeVolumeDetachTimeoutSeconds:
    'nodeVolumeDetachTimeoutSeconds is how long, in seconds, to wait for volumes to be detached from the Node before the deletion continues. Defaults to 0: no limit.',
  order:
    'order defines which healthy Machines are deleted first on scale-down. One of Random, Newest, Oldest. Defaults to Random.',
  rolloutStrategy: 'strategy is how Machines are replaced when the template changes.',
  rollingUpdate: 'rollingUpdate configures the strategy RollingUpdate. Not allowed with OnDelete.',
  maxSurge:
    'maxSurge is how many Machines may exist above the desired replicas during a rollout. An absolute number, or a percentage of the replicas, rounded up. Defaults to 1. Must not be 0 if maxUnavailable is 0.',
  maxUnavailable:
    'maxUnavailable is how many Machines may be unavailable during a rollout. An absolute number, or a percentage of the replicas, rounded down. Defaults to 0. Must not be 0 if maxSurge is 0.',
  type: 'type is the rollout strategy: RollingUpdate replaces Machines step by step, OnDelete creates new Machines only for those that a user deletes. Defaults to RollingUpdate.',
  after:
    'after triggers a rollout of all Machines created before this time, once this time has passed. The spec does not have to change otherwise.',
  template:
    'template is the Go template of Machine names, with the variables .cluster.name, .random and the name of the owner such as .machineSet.name. It must contain .random. Names are cut to 63 characters. Defaults to the name of the owner, a dash and .random.',
};

export const deletionTimeouts = object(
  {
    nodeDeletionTimeoutSeconds: optional(int32({ minimum: 0, description: texts.nodeDeletionTimeoutSeconds })),
    nodeDrainTimeoutSeconds: optional(int32({ minimum: 0, description: texts.nodeDrainTimeoutSeconds })),
    nodeVolumeDetachTimeoutSeconds: optional(int32({ minimum: 0, description: texts.nodeVolumeDetachTimeoutSeconds })),
  },
  {
    description:
      'deletion limits the time of the steps of the deletion of a Machine. A change is applied to existing Machines without a rollout.',
    minProperties: 1,
  },
);

export const deletionTimeoutsWithOrder = object(
  {
    nodeDeletionTimeoutSeconds: optional(int32({ minimum: 0, description: texts.nodeDeletionTimeoutSeconds })),
    nodeDrainTimeoutSeconds: optional(int32({ minimum: 0, description: texts.nodeDrainTimeoutSeconds })),
    nodeVolumeDetachTimeoutSeconds: optional(int32({ minimum: 0, description: texts.nodeVolumeDetachTimeoutSeconds })),
    order: optional(enumeration(['Random', 'Newest', 'Oldest'], { description: texts.order })),
  },
  {
    description:
      'deletion defines which Machines are deleted first on scale-down and limits the time of the steps of the deletion. A change is applied to existing Machines without a rollout.',
    minProperties: 1,
  },
);

export const deletionOrder = object(
  {
    order: optional(enumeration(['Random', 'Newest', 'Oldest'], { description: texts.order })),
  },
  { minProperties: 1, description: 'deletion defines which Machines are deleted first on scale-down.' },
);

export const rolloutStrategy = object(
  {
    rollingUpdate: optional(
      object(
        {
          maxSurge: optional(intOrString({ description: texts.maxSurge })),
          maxUnavailable: optional(intOrString({ description: texts.maxUnavailable })),
        },
        { minProperties: 1, description: texts.rollingUpdate },
      ),
    ),
    type: enumeration(['RollingUpdate', 'OnDelete'], { description: texts.type }),
  },
  { minProperties: 1, description: texts.rolloutStrategy },
);

export const rollout = object(
  {
    after: optional(dateTime({ description: texts.after })),
    strategy: optional(rolloutStrategy),
  },
  { description: 'rollout configures when and how Machines are replaced.', minProperties: 1 },
);

export const rolloutAfter = object(
  {
    after: optional(dateTime({ description: texts.after })),
  },
  { minProperties: 1, description: 'rollout configures when Machines are replaced.' },
);

export const deploymentStrategyV1Beta1 = object(
  {
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
        { description: 'remediation limits the remediation of unhealthy Machines.' },
      ),
    ),
    rollingUpdate: optional(
      object(
        {
          deletePolicy: optional(
            enumeration(['Random', 'Newest', 'Oldest'], {
              description:
                'deletePolicy defines which healthy Machines are deleted first on scale-down. One of Random, Newest, Oldest. Defaults to Random.',
            }),
          ),
          maxSurge: optional(intOrString({ description: texts.maxSurge })),
          maxUnavailable: optional(intOrString({ description: texts.maxUnavailable })),
        },
        { description: texts.rollingUpdate },
      ),
    ),
    type: optional(enumeration(['RollingUpdate', 'OnDelete'], { description: texts.type })),
  },
  { description: texts.rolloutStrategy },
);

export const machineNaming = object(
  {
    template: optional(string({ minLength: 1, maxLength: 256, description: texts.template })),
  },
  {
    description: 'machineNaming configures how Machines are named. A change affects only Machines created afterwards.',
    minProperties: 1,
  },
);

export const machineNamingV1Beta1 = object(
  {
    template: optional(string({ minLength: 1, maxLength: 256, description: texts.template })),
  },
  {
    description:
      'machineNamingStrategy configures how Machines are named. A change affects only Machines created afterwards.',
  },
);

/** The deletion timeouts of the v1beta1 API, which has them inline. */
export const nodeTimeoutsV1Beta1 = {
  nodeDeletionTimeout: optional(
    string({
      description:
        'nodeDeletionTimeout is how long the deletion of the Node is retried, as a duration such as 10s, counted from the deletion of the Machine. Defaults to 10s. 0s retries without limit.',
    }),
  ),
  nodeDrainTimeout: optional(
    string({
      description:
        'nodeDrainTimeout is how long the drain of the Node may take, as a duration such as 5m, before the deletion continues without it. Defaults to 0s: no limit.',
    }),
  ),
  nodeVolumeDetachTimeout: optional(
    string({
      description:
        'nodeVolumeDetachTimeout is how long to wait for volumes to be detached from the Node, as a duration such as 5m, before the deletion continues. Defaults to 0s: no limit.',
    }),
  ),
};
