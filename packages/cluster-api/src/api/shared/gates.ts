import { enumeration, mapList, object, optional, string } from '@slipway/kube/kit';
import { qualifiedNamePattern } from './patterns.js';

const texts = {
  gates:
    'Additional conditions that are taken into account, together with the built-in ones, when the summary condition of the object is computed.',
  conditionType:
    'conditionType is the type of a condition of the object. If the condition is missing, it counts as Unknown.',
  polarity:
    'polarity defines which status of the condition is good: True for Positive, False for Negative. Defaults to Positive.',
};

export const gates = mapList(
  object({
    conditionType: string({
      pattern: qualifiedNamePattern,
      minLength: 1,
      maxLength: 316,
      description: texts.conditionType,
    }),
    polarity: optional(enumeration(['Positive', 'Negative'], { description: texts.polarity })),
  }),
  ['conditionType'],
  { description: texts.gates, minItems: 1, maxItems: 32 },
);

export const gatesV1Beta1 = mapList(
  object({
    conditionType: string({
      pattern: qualifiedNamePattern,
      minLength: 1,
      maxLength: 316,
      description: texts.conditionType,
    }),
    polarity: optional(enumeration(['Positive', 'Negative'], { description: texts.polarity })),
  }),
  ['conditionType'],
  { maxItems: 32, description: texts.gates },
);
