import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { machineHealthCheckSpecV1Beta1, machineHealthCheckStatusV1Beta1 } from './v1beta1/machine-health-check.js';
import { machineHealthCheckSpec, machineHealthCheckStatus } from './v1beta2/machine-health-check.js';

const texts = {
  kind: 'MachineHealthCheck finds unhealthy Machines and triggers their remediation.',
};

export const machineHealthCheck = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineHealthCheck',
  plural: 'machinehealthchecks',
  shortNames: ['mhc', 'mhcs'],
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
        spec: optional(machineHealthCheckSpecV1Beta1),
        status: optional(machineHealthCheckStatusV1Beta1),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'ExpectedMachines', type: 'integer', jsonPath: '.status.expectedMachines' },
        { name: 'MaxUnhealthy', type: 'string', jsonPath: '.spec.maxUnhealthy' },
        { name: 'CurrentHealthy', type: 'integer', jsonPath: '.status.currentHealthy' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: machineHealthCheckSpec,
        status: optional(machineHealthCheckStatus),
      },
      subresources: { status: true },
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
        { name: 'Replicas', type: 'integer', jsonPath: '.status.expectedMachines' },
        { name: 'Healthy', type: 'integer', jsonPath: '.status.currentHealthy' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
    },
  ],
});

export type MachineHealthCheck = ObjectOf<typeof machineHealthCheck>;
