import { defineKind, type ObjectOf } from '@slipway/kube/kit';
import { machineDrainRuleSpec } from './shared/machine-drain-rule.js';

const texts = {
  kind: 'MachineDrainRule defines how Pods are treated when the Node of a Machine is drained.',
};

export const machineDrainRule = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineDrainRule',
  plural: 'machinedrainrules',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: texts.kind,
      schema: {
        spec: machineDrainRuleSpec,
      },
      columns: [
        { name: 'Behavior', type: 'string', jsonPath: '.spec.drain.behavior' },
        { name: 'Order', type: 'string', jsonPath: '.spec.drain.order' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: machineDrainRuleSpec,
      },
      columns: [
        { name: 'Behavior', type: 'string', jsonPath: '.spec.drain.behavior' },
        { name: 'Order', type: 'string', jsonPath: '.spec.drain.order' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type MachineDrainRule = ObjectOf<typeof machineDrainRule>;
