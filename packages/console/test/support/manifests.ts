const infrastructure = 'infrastructure.cluster.x-k8s.io';
const controlPlane = 'controlplane.cluster.x-k8s.io';
const bootstrap = 'bootstrap.cluster.x-k8s.io';
const core = 'cluster.x-k8s.io';

export interface Shape {
  readonly name: string;
  readonly namespace?: string;
  readonly version?: string;
  readonly controlPlanes?: number;
  readonly workers?: number;
  /** How long the simulated virtual machines take to start, for example `10ms`. */
  readonly startup?: string;
  /** Whether the workers reference a template that does not exist. */
  readonly broken?: boolean;
}

function inMemory(startupDuration: string): object {
  return { backend: { inMemory: { vm: { provisioning: { startupDuration } } } } };
}

/** Returns the manifests of a cluster on simulated machines, including all templates. */
export function clusterManifests(shape: Shape): readonly object[] {
  const { name, namespace = 'default', version = 'v1.35.0', controlPlanes = 1, workers = 1 } = shape;
  const { startup = '10ms', broken = false } = shape;
  const metadata = { name, namespace };
  const pool = { name: `${name}-workers`, namespace };
  const templateRef = { apiGroup: infrastructure, kind: 'DevMachineTemplate', name };
  return [
    {
      apiVersion: `${core}/v1beta2`,
      kind: 'Cluster',
      metadata,
      spec: {
        controlPlaneRef: { apiGroup: controlPlane, kind: 'KubeadmControlPlane', name },
        infrastructureRef: { apiGroup: infrastructure, kind: 'DevCluster', name },
      },
    },
    { apiVersion: `${infrastructure}/v1beta2`, kind: 'DevCluster', metadata, spec: { backend: { inMemory: {} } } },
    {
      apiVersion: `${controlPlane}/v1beta2`,
      kind: 'KubeadmControlPlane',
      metadata,
      spec: {
        replicas: controlPlanes,
        version,
        machineTemplate: { spec: { infrastructureRef: templateRef } },
        kubeadmConfigSpec: { format: 'cloud-config' },
      },
    },
    {
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'DevMachineTemplate',
      metadata,
      spec: { template: { spec: inMemory(startup) } },
    },
    {
      apiVersion: `${bootstrap}/v1beta2`,
      kind: 'KubeadmConfigTemplate',
      metadata,
      spec: { template: { spec: { format: 'cloud-config' } } },
    },
    {
      apiVersion: `${core}/v1beta2`,
      kind: 'MachineDeployment',
      metadata: pool,
      spec: {
        clusterName: name,
        replicas: workers,
        selector: { matchLabels: {} },
        template: {
          spec: {
            clusterName: name,
            version,
            bootstrap: { configRef: { apiGroup: bootstrap, kind: 'KubeadmConfigTemplate', name } },
            infrastructureRef: { ...templateRef, name: broken ? `${name}-gone` : name },
          },
        },
      },
    },
  ];
}
