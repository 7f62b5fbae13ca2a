import { namespace, resources } from './topology-plane.js';

const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta2';

function template(apiVersion: string, kind: string, name: string, spec: object): object {
  return { apiVersion, kind, metadata: { name, namespace }, spec: { template: { spec } } };
}

const vm = (seconds: number): object => ({
  backend: { inMemory: { vm: { provisioning: { startupDuration: `${seconds}s` } } } },
});

/** The templates of a ClusterClass for simulated machines. */
export const templates = {
  devCluster: template(infrastructure, 'DevClusterTemplate', 'infrastructure', { backend: { inMemory: {} } }),
  controlPlane: template('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlaneTemplate', 'control-plane', {
    kubeadmConfigSpec: { clusterConfiguration: { certificateValidityPeriodDays: 90 } },
  }),
  controlPlaneMachine: template(infrastructure, 'DevMachineTemplate', 'control-plane-machine', vm(1)),
  workerMachine: template(infrastructure, 'DevMachineTemplate', 'worker-machine', vm(2)),
  bootstrap: template('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', 'bootstrap', {
    joinConfiguration: { nodeRegistration: { kubeletExtraArgs: [{ name: 'v', value: '2' }] } },
  }),
} as const;

/** The same templates, with machines that start without delay. */
export const quickTemplates = [
  [resources.devClusterTemplates, templates.devCluster],
  [resources.kubeadmControlPlaneTemplates, templates.controlPlane],
  [resources.kubeadmConfigTemplates, templates.bootstrap],
  ...['control-plane-machine', 'worker-machine'].map(
    (name) =>
      [
        resources.devMachineTemplates,
        template(infrastructure, 'DevMachineTemplate', name, { backend: { inMemory: {} } }),
      ] as const,
  ),
] as const;

const reference = (apiVersion: string, kind: string, name: string): object => ({ apiVersion, kind, name });

export function clusterClass(
  name: string,
  more: { spec?: object; worker?: object; controlPlane?: object } = {},
): object {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'ClusterClass',
    metadata: { name, namespace },
    spec: {
      infrastructure: { templateRef: reference(infrastructure, 'DevClusterTemplate', 'infrastructure') },
      controlPlane: {
        templateRef: reference('controlplane.cluster.x-k8s.io/v1beta2', 'KubeadmControlPlaneTemplate', 'control-plane'),
        machineInfrastructure: {
          templateRef: reference(infrastructure, 'DevMachineTemplate', 'control-plane-machine'),
        },
        ...more.controlPlane,
      },
      workers: {
        machineDeployments: [
          {
            class: 'default-worker',
            bootstrap: {
              templateRef: reference('bootstrap.cluster.x-k8s.io/v1beta2', 'KubeadmConfigTemplate', 'bootstrap'),
            },
            infrastructure: { templateRef: reference(infrastructure, 'DevMachineTemplate', 'worker-machine') },
            ...more.worker,
          },
        ],
      },
      ...more.spec,
    },
  };
}

export function cluster(name: string, className: string, topology: object = {}): object {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: { name, namespace },
    spec: {
      topology: {
        classRef: { name: className },
        version: 'v1.35.0',
        controlPlane: { replicas: 1 },
        workers: { machineDeployments: [{ name: 'md-0', class: 'default-worker', replicas: 1 }] },
        ...topology,
      },
    },
  };
}
