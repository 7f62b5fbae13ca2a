import { enumeration, mapList, object, optional, string } from '@slipway/kube/kit';
import { labelValuePattern, taintKeyPattern } from './patterns.js';

export const machineTaints = mapList(
  object({
    effect: enumeration(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
    key: string({ pattern: taintKeyPattern, minLength: 1, maxLength: 317 }),
    propagation: enumeration(['Always', 'OnInitialization']),
    value: optional(string({ pattern: labelValuePattern, minLength: 1, maxLength: 63 })),
  }),
  ['key', 'effect'],
  { description: 'Taints that are kept on the Node.', minItems: 1, maxItems: 64 },
);
