import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { machineDeploymentSpecV1Beta1, machineDeploymentStatusV1Beta1 } from './v1beta1/machine-deployment.js';
import { machineDeploymentSpec, machineDeploymentStatus } from './v1beta2/machine-deployment.js';

const texts = {
  kind: 'MachineDeployment keeps a number of Machines running and rolls out changes of their template.',
};

export const machineDeployment = defineKind({
  group: 'cluster.x-k8s.io',
  kind: 'MachineDeployment',
  plural: 'machinedeployments',
  shortNames: ['md'],
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
        spec: optional(machineDeploymentSpecV1Beta1),
        status: optional(machineDeploymentStatusV1Beta1),
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
        { name: 'Updated', type: 'integer', jsonPath: '.status.updatedReplicas' },
        { name: 'Unavailable', type: 'integer', jsonPath: '.status.unavailableReplicas' },
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
        spec: machineDeploymentSpec,
        status: optional(machineDeploymentStatus),
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
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
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

export type MachineDeployment = ObjectOf<typeof machineDeployment>;
