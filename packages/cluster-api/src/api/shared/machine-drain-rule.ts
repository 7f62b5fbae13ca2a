import { atomicList, enumeration, int32, object, optional } from '@slipway/kube/kit';
import { labelSelector } from './label-selector.js';

export const machineDrainRuleSpec = object(
  {
    drain: object({
      behavior: enumeration(['Drain', 'Skip', 'WaitCompleted']),
      order: optional(int32()),
    }),
    machines: optional(
      atomicList(
        object(
          {
            clusterSelector: optional(labelSelector),
            selector: optional(labelSelector),
          },
          { minProperties: 1 },
        ),
        {
          minItems: 1,
          maxItems: 32,
          rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))', message: 'each entry may be given once' }],
        },
      ),
    ),
    pods: optional(
      atomicList(
        object(
          {
            namespaceSelector: optional(labelSelector),
            selector: optional(labelSelector),
          },
          { minProperties: 1 },
        ),
        {
          minItems: 1,
          maxItems: 32,
          rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))', message: 'each entry may be given once' }],
        },
      ),
    ),
  },
  { description: 'Which pods on which machines are treated how during a drain.' },
);
