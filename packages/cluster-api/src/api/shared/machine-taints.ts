import { enumeration, mapList, object, optional, string } from '@slipway/kube/kit';
import { labelValuePattern, taintKeyPattern } from './patterns.js';

export const machineTaints = mapList(
  object({
    effect: enumeration(['NoSchedule', 'PreferNoSchedule', 'NoExecute'], {
      description:
        'effect is the effect of the taint on Pods that do not tolerate it. One of NoSchedule, PreferNoSchedule, NoExecute.',
    }),
    key: string({
      pattern: taintKeyPattern,
      minLength: 1,
      maxLength: 317,
      description: 'key is the key of the taint.',
    }),
    propagation: enumeration(['Always', 'OnInitialization'], {
      description:
        'propagation defines how the taint is kept on the Node: Always keeps it in sync, OnInitialization sets it once when the Node is initialized.',
    }),
    value: optional(
      string({
        pattern: labelValuePattern,
        minLength: 1,
        maxLength: 63,
        description: 'value is the value of the taint.',
      }),
    ),
  }),
  ['key', 'effect'],
  {
    description:
      'taints are taints that Cluster API sets on the Node of each Machine, in addition to those set by the bootstrap provider. A change is applied to existing Nodes without a rollout. Requires the feature gate MachineTaintPropagation.',
    minItems: 1,
    maxItems: 64,
  },
);
