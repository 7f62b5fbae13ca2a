const infrastructure = 'infrastructure.cluster.x-k8s.io/v1beta2';
const controlPlane = 'controlplane.cluster.x-k8s.io/v1beta2';
const bootstrap = 'bootstrap.cluster.x-k8s.io/v1beta2';
const core = 'cluster.x-k8s.io/v1beta2';

/** Returns a ClusterClass with fast simulated machines and two versions, and a cluster created from it. */
export function topologyManifests(name: string, namespace: string): readonly object[] {
  const metadata = { name, namespace };
  const template = (apiVersion: string, kind: string, spec: object): object => ({
    apiVersion,
    kind,
    metadata,
    spec: { template: { spec } },
  });
  const behind = (apiVersion: string, kind: string): object => ({ templateRef: { apiVersion, kind, name } });
  const inMemory = { backend: { inMemory: {} } };
  const machines = behind(infrastructure, 'DevMachineTemplate');
  const worker = {
    class: 'worker',
    bootstrap: behind(bootstrap, 'KubeadmConfigTemplate'),
    infrastructure: machines,
  };
  return [
    template(infrastructure, 'DevClusterTemplate', inMemory),
    template(infrastructure, 'DevMachineTemplate', inMemory),
    template(controlPlane, 'KubeadmControlPlaneTemplate', { kubeadmConfigSpec: { format: 'cloud-config' } }),
    template(bootstrap, 'KubeadmConfigTemplate', { format: 'cloud-config' }),
    {
      apiVersion: core,
      kind: 'ClusterClass',
      metadata,
      spec: {
        kubernetesVersions: ['v1.35.0', 'v1.35.1'],
        infrastructure: behind(infrastructure, 'DevClusterTemplate'),
        controlPlane: { ...behind(controlPlane, 'KubeadmControlPlaneTemplate'), machineInfrastructure: machines },
        workers: { machineDeployments: [worker] },
      },
    },
    {
      apiVersion: core,
      kind: 'Cluster',
      metadata,
      spec: {
        topology: {
          classRef: { name },
          version: 'v1.35.0',
          controlPlane: { replicas: 1 },
          workers: { machineDeployments: [{ name: 'crew', class: 'worker', replicas: 1 }] },
        },
      },
    },
  ];
}
