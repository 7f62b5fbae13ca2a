import {
  dateTime,
  enumeration,
  int32,
  int64,
  list,
  mapList,
  object,
  optional,
  refine,
  string,
} from '@slipway/kube/kit';
import { qualifiedNamePattern, reasonPattern } from './patterns.js';

const texts = {
  conditions: 'conditions are the latest observations of the state of this object, one entry per condition type.',
  lastTransitionTime: 'lastTransitionTime is the time at which status last changed from one value to another.',
  conditionsStatus: 'status is the status of the condition. One of True, False, Unknown.',
  conditionsType: 'type is the condition type, in CamelCase or as domain/CamelCase. Unique within the list.',
  v1beta2Conditions: 'v1beta2 holds the status in the form of the v1beta2 API.',
  deprecatedConditions:
    'deprecated holds status fields of earlier API versions. It is removed together with those versions.',
  v1beta1: 'v1beta1 holds the status fields of the v1beta1 API. It is removed when v1beta1 is no longer served.',
};

export const conditions = mapList(
  object({
    lastTransitionTime: dateTime({ description: texts.lastTransitionTime }),
    message: string({
      maxLength: 32768,
      description: 'message explains the last transition to a human reader. It may be empty.',
    }),
    observedGeneration: optional(
      int64({
        minimum: 0,
        description:
          'observedGeneration is the metadata.generation from which this condition was computed. If it is lower than the current generation, the condition is out of date.',
      }),
    ),
    reason: string({
      pattern: reasonPattern,
      minLength: 1,
      maxLength: 1024,
      description: 'reason is a CamelCase identifier of the cause of the last transition.',
    }),
    status: enumeration(['True', 'False', 'Unknown'], { description: texts.conditionsStatus }),
    type: string({ pattern: qualifiedNamePattern, maxLength: 316, description: texts.conditionsType }),
  }),
  ['type'],
  { description: texts.conditions, maxItems: 32 },
);

export const v1beta1Conditions = list(
  object({
    lastTransitionTime: dateTime({ description: texts.lastTransitionTime }),
    message: optional(
      string({
        minLength: 1,
        maxLength: 10240,
        description: 'message explains the last transition to a human reader. It may be absent.',
      }),
    ),
    reason: optional(
      string({
        minLength: 1,
        maxLength: 256,
        description:
          'reason is a CamelCase identifier of the cause of the last transition. Required when status is False.',
      }),
    ),
    severity: optional(
      string({
        maxLength: 32,
        description:
          'severity classifies a condition whose status is False. One of Error, Warning, Info; empty otherwise.',
      }),
    ),
    status: string({ description: texts.conditionsStatus }),
    type: string({ minLength: 1, maxLength: 256, description: texts.conditionsType }),
  }),
  {
    description:
      'conditions are the observations of the state of this object in the v1beta1 format. They are kept for clients that still read them; new clients read the v1beta2 conditions.',
  },
);

export const v1beta2Conditions = object(
  {
    conditions: optional(refine(conditions, { description: texts.conditions })),
  },
  { description: texts.v1beta2Conditions },
);

export const v1beta2Counters = object(
  {
    availableReplicas: optional(
      int32({ description: 'availableReplicas is the number of replicas whose Available condition is True.' }),
    ),
    conditions: optional(refine(conditions, { description: texts.conditions })),
    readyReplicas: optional(
      int32({ description: 'readyReplicas is the number of replicas whose Ready condition is True.' }),
    ),
    upToDateReplicas: optional(
      int32({
        description:
          'upToDateReplicas is the number of replicas whose UpToDate condition is True: their spec matches the desired one.',
      }),
    ),
  },
  { description: texts.v1beta2Conditions },
);

export const deprecatedConditions = object(
  {
    v1beta1: optional(
      object(
        {
          conditions: optional(refine(v1beta1Conditions, { description: texts.conditions })),
        },
        { description: texts.v1beta1 },
      ),
    ),
  },
  { description: texts.deprecatedConditions },
);

export const deprecatedFailure = object(
  {
    v1beta1: optional(
      object(
        {
          conditions: optional(refine(v1beta1Conditions, { description: texts.conditions })),
          failureMessage: optional(
            string({
              minLength: 1,
              maxLength: 10240,
              description: 'failureMessage describes a terminal failure of the object. Deprecated: use conditions.',
            }),
          ),
          failureReason: optional(
            string({
              description:
                'failureReason is a machine-readable reason of a terminal failure. Deprecated: use conditions.',
            }),
          ),
        },
        { description: texts.v1beta1 },
      ),
    ),
  },
  { description: texts.deprecatedConditions },
);
