import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { machineSetSpecV1Beta1, machineSetStatusV1Beta1 } from './v1beta1/machine-set.js';
import { machineSetSpec, machineSetStatus } from './v1beta2/machine-set.js';

const texts = {
  kind: 'MachineSet keeps a number of Machines with the same spec running.',
};

export const machineSet = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineSet',
  plural: 'machinesets',
  shortNames: ['ms'],
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
        spec: optional(machineSetSpecV1Beta1),
        status: optional(machineSetStatusV1Beta1),
      },
      subresources: {
        status: true,
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', priority: 10 },
        { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: machineSetSpec,
        status: optional(machineSetStatus),
      },
      subresources: {
        status: true,
        scale: {
          specReplicasPath: '.spec.replicas',
          statusReplicasPath: '.status.replicas',
          labelSelectorPath: '.status.selector',
        },
      },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Up-to-date', type: 'integer', jsonPath: '.status.upToDateReplicas' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
    },
  ],
});

export type MachineSet = ObjectOf<typeof machineSet>;
