import { clusterClasses, clusters } from '@slipway/cluster-api';
import { devClusterTemplates } from '@slipway/dev';
import type { JsonObject, KubeObject } from '@slipway/kube';
import { kubeadmConfigTemplates, kubeadmControlPlaneTemplates } from '@slipway/kubeadm';
import { devProvider } from '../providers/dev-provider.js';
import { namespace } from '../world/names.js';
import type { ClusterForm, Edit } from './cluster-form.js';
import { machineTemplateName, nodeChecks, type Placed, type WantedCluster } from './manifests.js';

const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta2';
const bootstrap = 'bootstrap.cluster.x-k8s.io/v1beta2';
const controlPlane = 'controlplane.cluster.x-k8s.io/v1beta2';
const core = 'cluster.x-k8s.io/v1beta2';
const workerClass = 'workers';

/** As a topology of a class. Each cluster has a class of its own, so that its template changes for nobody else. */
export const topologyForm: ClusterForm = {
  manifests: (wanted) => [
    devProvider.machineTemplate(wanted),
    ...classTemplates(wanted.name),
    [clusterClasses, object(core, 'ClusterClass', wanted.name, classSpec(wanted))],
    [clusters, object(core, 'Cluster', wanted.name, { topology: topologyOf(wanted) })],
  ],
  scaleControlPlane: (wanted) => [ofTopology(wanted)],
  scaleWorkers: (wanted) => [ofTopology(wanted)],
  upgrade: (wanted) => [ofTopology(wanted)],
  changeTemplate: (wanted) => [{ resource: clusterClasses, name: wanted.name, patch: { spec: classSpec(wanted) } }],
  // Its templates belong to the class, and go with it.
  remains: (name) => [{ resource: clusterClasses, name }],
};

function ofTopology(wanted: WantedCluster): Edit {
  return { resource: clusters, name: wanted.name, patch: { spec: { topology: topologyOf(wanted) } } };
}

function topologyOf({ name, version, controlPlanes, workers }: WantedCluster): JsonObject {
  return {
    classRef: { name },
    version,
    controlPlane: { replicas: controlPlanes },
    workers: { machineDeployments: [{ name: 'workers', class: workerClass, replicas: workers }] },
  };
}

/** The objects are named as users name them who write each by hand: what looks at clusters looks at both alike. */
function classSpec(wanted: WantedCluster): JsonObject {
  const { name } = wanted;
  const machine = { templateRef: reference(infrastructure, 'DevMachineTemplate', machineTemplateName(wanted)) };
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
