import { dateTime, enumeration, int32, int64, list, mapList, object, optional, string } from '@slipway/kube/kit';
import { qualifiedNamePattern, reasonPattern } from './patterns.js';

export const conditions = mapList(
  object({
    lastTransitionTime: dateTime(),
    message: string({ maxLength: 32768 }),
    observedGeneration: optional(int64({ minimum: 0 })),
    reason: string({ pattern: reasonPattern, minLength: 1, maxLength: 1024 }),
    status: enumeration(['True', 'False', 'Unknown']),
    type: string({ pattern: qualifiedNamePattern, maxLength: 316 }),
  }),
  ['type'],
  { description: 'What was last observed, one entry for each type.', maxItems: 32 },
);

export const v1beta1Conditions = list(
  object({
    lastTransitionTime: dateTime(),
    message: optional(string({ minLength: 1, maxLength: 10240 })),
    reason: optional(string({ minLength: 1, maxLength: 256 })),
    severity: optional(string({ maxLength: 32 })),
    status: string(),
    type: string({ minLength: 1, maxLength: 256 }),
  }),
  { description: 'Conditions in the form of v1beta1, kept for clients that still read them.' },
);

export const v1beta2Conditions = object({
  conditions: optional(conditions),
});

export const v1beta2Counters = object({
  availableReplicas: optional(int32()),
  conditions: optional(conditions),
  readyReplicas: optional(int32()),
  upToDateReplicas: optional(int32()),
});

export const deprecatedConditions = object({
  v1beta1: optional(
    object({
      conditions: optional(v1beta1Conditions),
    }),
  ),
});

export const deprecatedFailure = object({
  v1beta1: optional(
    object({
      conditions: optional(v1beta1Conditions),
      failureMessage: optional(string({ minLength: 1, maxLength: 10240 })),
      failureReason: optional(string()),
    }),
  ),
});
