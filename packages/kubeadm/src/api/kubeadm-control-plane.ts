import { defineKind, optional, type ObjectOf } from '@slipway/kube/kit';
import { kubeadmControlPlaneSpecV1Beta1, kubeadmControlPlaneStatusV1Beta1 } from './v1beta1/control-plane.js';
import { kubeadmControlPlaneSpec, kubeadmControlPlaneStatus } from './v1beta2/control-plane.js';
import { contractLabels } from '@slipway/cluster-api/schemas';

const texts = {
  kind: 'KubeadmControlPlane is a control plane whose machines are bootstrapped and upgraded with kubeadm.',
};

export const kubeadmControlPlane = defineKind({
  group: 'controlplane.cluster.x-k8s.io',
  kind: 'KubeadmControlPlane',
  plural: 'kubeadmcontrolplanes',
  shortNames: ['kcp'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: contractLabels,
  versions: [
    {
      name: 'v1beta1',
      served: true,
      storage: false,
      deprecated: true,
      description: texts.kind,
      schema: {
        spec: optional(kubeadmControlPlaneSpecV1Beta1),
        status: optional(kubeadmControlPlaneStatusV1Beta1),
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
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Initialized', type: 'boolean', jsonPath: '.status.initialized' },
        { name: 'API Server Available', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas', priority: 10 },
        { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Updated', type: 'integer', jsonPath: '.status.updatedReplicas' },
        { name: 'Unavailable', type: 'integer', jsonPath: '.status.unavailableReplicas' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.version' },
      ],
    },
    {
      name: 'v1beta2',
      served: true,
      storage: true,
      description: texts.kind,
      schema: {
        spec: kubeadmControlPlaneSpec,
        status: optional(kubeadmControlPlaneStatus),
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
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'Desired', type: 'integer', jsonPath: '.spec.replicas' },
        { name: 'Current', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'Ready', type: 'integer', jsonPath: '.status.readyReplicas' },
        { name: 'Available', type: 'integer', jsonPath: '.status.availableReplicas' },
        { name: 'Up-to-date', type: 'integer', jsonPath: '.status.upToDateReplicas' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Initialized', type: 'boolean', jsonPath: '.status.initialization.controlPlaneInitialized' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.version' },
      ],
    },
  ],
});

export type KubeadmControlPlane = ObjectOf<typeof kubeadmControlPlane>;
