import { atomicList, enumeration, int32, object, optional, refine } from '@slipway/kube/kit';
import { labelSelector } from './label-selector.js';

export const machineDrainRuleSpec = object(
  {
    drain: object(
      {
        behavior: enumeration(['Drain', 'Skip', 'WaitCompleted'], {
          description:
            'behavior is what happens to the selected Pods: Drain evicts them, Skip does not evict them and does not wait for them, WaitCompleted waits until they have completed.',
        }),
        order: optional(
          int32({
            description:
              'order is the position in the drain: Pods with a lower order are drained before Pods with a higher one. Defaults to 0. Not allowed with behavior Skip.',
          }),
        ),
      },
      { description: 'drain defines how the selected Pods are treated.' },
    ),
    machines: optional(
      atomicList(
        object(
          {
            clusterSelector: optional(
              refine(labelSelector, {
                description:
                  'clusterSelector selects Machines by the labels of their Cluster. Defaults to all Clusters.',
              }),
            ),
            selector: optional(
              refine(labelSelector, {
                description: 'selector selects Machines by their labels. Defaults to all Machines.',
              }),
            ),
          },
          { minProperties: 1 },
        ),
        {
          minItems: 1,
          maxItems: 32,
          rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))', message: 'entries must be unique' }],
          description:
            'machines select the Machines that the rule applies to. The entries are ORed. An empty list matches all Machines.',
        },
      ),
    ),
    pods: optional(
      atomicList(
        object(
          {
            namespaceSelector: optional(
              refine(labelSelector, {
                description:
                  'namespaceSelector selects Pods by the labels of their namespace. Defaults to all namespaces.',
              }),
            ),
            selector: optional(
              refine(labelSelector, { description: 'selector selects Pods by their labels. Defaults to all Pods.' }),
            ),
          },
          { minProperties: 1 },
        ),
        {
          minItems: 1,
          maxItems: 32,
          rules: [{ rule: 'self.all(x, self.exists_one(y, x == y))', message: 'entries must be unique' }],
          description:
            'pods select the Pods that the rule applies to. The entries are ORed. An empty list matches all Pods.',
        },
      ),
    ),
  },
  { description: 'spec selects Pods on Machines and defines how a drain treats them.' },
);
