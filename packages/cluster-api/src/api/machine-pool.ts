import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { machinePoolSpecV1Beta1, machinePoolStatusV1Beta1 } from './v1beta1/machine-pool.js';
import { machinePoolSpec, machinePoolStatus } from './v1beta2/machine-pool.js';

const texts = {
  kind: 'MachinePool is a group of machines that the infrastructure provider creates and scales as one object.',
};

export const machinePool = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'MachinePool',
  plural: 'machinepools',
  shortNames: ['mp'],
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
        spec: optional(machinePoolSpecV1Beta1),
        status: optional(machinePoolStatusV1Beta1),
      },
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', priority: 10 },
        { name: 'Replicas', type: 'string', jsonPath: '.status.replicas' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
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
        spec: machinePoolSpec,
        status: optional(machinePoolStatus),
      },
      subresources: {
        status: true,
        scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
      },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Up-to-date', type: 'integer', jsonPath: '.status.upToDateReplicas' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.template.spec.version' },
      ],
    },
  ],
});

export type MachinePool = ObjectOf<typeof machinePool>;
