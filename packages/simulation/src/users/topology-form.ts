import { clusterClasses, clusters } from '@slipway/cluster-api';
import { devClusterTemplates } from '@slipway/dev';
import type { JsonObject, KubeObject } from '@slipway/kube';
import { kubeadmConfigTemplates, kubeadmControlPlaneTemplates } from '@slipway/kubeadm';
import { devProvider } from '../providers/dev-provider.js';
import { namespace } from '../objects/names.js';
import type { ClusterForm, Edit } from './cluster-form.js';
import { machineTemplateName, type Placed, type DesiredCluster } from '../objects/desired-cluster.js';
import { nodeChecks } from './manifests.js';

const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta2';
const bootstrap = 'bootstrap.cluster.x-k8s.io/v1beta2';
const controlPlane = 'controlplane.cluster.x-k8s.io/v1beta2';
const core = 'cluster.x-k8s.io/v1beta2';
const workerClass = 'workers';

/**
 * Describes a cluster by a managed topology. Each cluster has its own ClusterClass, so that template changes affect only that
 * cluster.
 */
export const topologyForm: ClusterForm = {
  manifests: (desired) => [
    devProvider.machineTemplate(desired),
    ...classTemplates(desired.name),
    [clusterClasses, object(core, 'ClusterClass', desired.name, classSpec(desired))],
    [clusters, object(core, 'Cluster', desired.name, { topology: topologyOf(desired) })],
  ],
  scaleControlPlane: (desired) => [ofTopology(desired)],
  scaleWorkers: (desired) => [ofTopology(desired)],
  upgrade: (desired) => [ofTopology(desired)],
  changeTemplate: (desired) => [{ resource: clusterClasses, name: desired.name, patch: { spec: classSpec(desired) } }],
  // The ClusterClass owns its templates, which are deleted with it.
  remains: (name) => [{ resource: clusterClasses, name }],
};

function ofTopology(desired: DesiredCluster): Edit {
  return { resource: clusters, name: desired.name, patch: { spec: { topology: topologyOf(desired) } } };
}

function topologyOf({ name, version, controlPlanes, workers }: DesiredCluster): JsonObject {
  return {
    classRef: { name },
    version,
    controlPlane: { replicas: controlPlanes },
    workers: { machineDeployments: [{ name: 'workers', class: workerClass, replicas: workers }] },
  };
}

/**
 * Returns the ClusterClass spec. Object names are those of clusters without a topology, so that the invariants treat both alike.
 */
function classSpec(desired: DesiredCluster): JsonObject {
  const { name } = desired;
  const machine = { templateRef: reference(infrastructure, 'DevMachineTemplate', machineTemplateName(desired)) };
  return {
    infrastructure: { templateRef: reference(infrastructure, 'DevClusterTemplate', name) },
    controlPlane: {
      templateRef: reference(controlPlane, 'KubeadmControlPlaneTemplate', name),
      machineInfrastructure: machine,
      naming: { template: '{{ .cluster.name }}' },
      healthCheck: { checks: nodeChecks },
    },
    workers: {
      machineDeployments: [
        {
          class: workerClass,
          bootstrap: { templateRef: reference(bootstrap, 'KubeadmConfigTemplate', name) },
          infrastructure: machine,
          naming: { template: '{{ .cluster.name }}-workers' },
          healthCheck: { checks: nodeChecks },
        },
      ],
    },
  };
}

function classTemplates(name: string): Placed[] {
  const template = (apiVersion: string, kind: string, spec: object): KubeObject =>
    object(apiVersion, kind, name, { template: { spec } });
  return [
    [devClusterTemplates, template(infrastructure, 'DevClusterTemplate', { backend: { inMemory: {} } })],
    [
      kubeadmControlPlaneTemplates,
      template(controlPlane, 'KubeadmControlPlaneTemplate', { kubeadmConfigSpec: { format: 'cloud-config' } }),
    ],
    [kubeadmConfigTemplates, template(bootstrap, 'KubeadmConfigTemplate', { format: 'cloud-config' })],
  ];
}

function reference(apiVersion: string, kind: string, name: string): JsonObject {
  return { apiVersion, kind, name };
}

function object(apiVersion: string, kind: string, name: string, spec: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace }, spec };
}
