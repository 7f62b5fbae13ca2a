import { enumeration, mapList, object, optional, string } from '@slipway/kube/kit';
import { qualifiedNamePattern } from './patterns.js';

export const gates = mapList(
  object({
    conditionType: string({ pattern: qualifiedNamePattern, minLength: 1, maxLength: 316 }),
    polarity: optional(enumeration(['Positive', 'Negative'])),
  }),
  ['conditionType'],
  { description: 'Further conditions that must hold.', minItems: 1, maxItems: 32 },
);

export const gatesV1Beta1 = mapList(
  object({
    conditionType: string({ pattern: qualifiedNamePattern, minLength: 1, maxLength: 316 }),
    polarity: optional(enumeration(['Positive', 'Negative'])),
  }),
  ['conditionType'],
  { maxItems: 32 },
);
