import type { ObjectRef } from '../src/index.js';

const infrastructure = 'infrastructure.cluster.x-k8s.io';
const controlPlane = 'controlplane.cluster.x-k8s.io';
const bootstrap = 'bootstrap.cluster.x-k8s.io';
const core = 'cluster.x-k8s.io';
const version = 'v1.35.0';

/** How long the parts of a simulated machine take to start. */
interface Startup {
  readonly vm?: string;
  readonly node?: string;
  readonly etcd?: string;
  readonly apiServer?: string;
}

export interface ClusterShape {
  readonly name: string;
  readonly namespace: string;
  readonly controlPlanes?: number;
  readonly workers?: number;
  readonly startup?: Startup;
  readonly workerStartup?: Startup;
  /** Objects to omit, as `Kind name`. */
  readonly without?: readonly string[];
}

export const ref = (kind: string, namespace: string, name: string): ObjectRef => ({
  group: groups[kind] ?? core,
  kind,
  namespace,
  name,
});

const groups: Readonly<Record<string, string>> = {
  DevCluster: infrastructure,
  DevMachine: infrastructure,
  DevMachineTemplate: infrastructure,
  DevMachinePool: infrastructure,
  KubeadmControlPlane: controlPlane,
  KubeadmConfig: bootstrap,
  KubeadmConfigTemplate: bootstrap,
  Secret: '',
  ConfigMap: '',
  Namespace: '',
  ClusterResourceSet: 'addons.cluster.x-k8s.io',
  IPAddressClaim: 'ipam.cluster.x-k8s.io',
  InClusterIPPool: 'ipam.cluster.x-k8s.io',
  CustomResourceDefinition: 'apiextensions.k8s.io',
};

function inMemory(startup: Startup = {}): object {
  const parts = Object.entries(startup).map(([part, startupDuration]) => [part, { provisioning: { startupDuration } }]);
  return { backend: { inMemory: Object.fromEntries(parts) as object } };
}

/** Returns the manifests of a cluster with a control plane and one group of workers, including all templates. */
export function clusterManifests(shape: ClusterShape): readonly object[] {
  const { name, namespace, controlPlanes = 1, workers = 1, startup, workerStartup, without = [] } = shape;
  const metadata = { name, namespace };
  const workersMetadata = { name: `${name}-workers`, namespace };
  const templateRef = { apiGroup: infrastructure, kind: 'DevMachineTemplate', name };
  const objects = [
    {
      apiVersion: `${core}/v1beta2`,
      kind: 'Cluster',
      metadata,
      spec: {
        controlPlaneRef: { apiGroup: controlPlane, kind: 'KubeadmControlPlane', name },
        infrastructureRef: { apiGroup: infrastructure, kind: 'DevCluster', name },
      },
    },
    { apiVersion: `${infrastructure}/v1beta2`, kind: 'DevCluster', metadata, spec: inMemory() },
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
      apiVersion: `${infrastructure}/v1beta2`,
      kind: 'DevMachineTemplate',
      metadata: workersMetadata,
      spec: { template: { spec: inMemory(workerStartup) } },
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
      metadata: workersMetadata,
      spec: {
        clusterName: name,
        replicas: workers,
        selector: { matchLabels: {} },
        template: {
          spec: {
            clusterName: name,
            version,
            bootstrap: { configRef: { apiGroup: bootstrap, kind: 'KubeadmConfigTemplate', name } },
            infrastructureRef: { ...templateRef, name: workersMetadata.name },
          },
        },
      },
    },
  ];
  return objects.filter(({ kind, metadata: { name: own } }) => !without.includes(`${kind}/${own}`));
}

/** Returns the CRD of a provider that is installed but whose controller does not run. */
export function idleDefinition(kind: string, labels: Readonly<Record<string, string>>): object {
  const plural = `${kind.toLowerCase()}s`;
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.${infrastructure}`, labels },
    spec: {
      group: infrastructure,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase(), listKind: `${kind}List` },
      versions: [{ name: 'v1', served: true, storage: true, schema, subresources: { status: {} } }],
    },
  };
}

/** Returns the manifests of a cluster with another infrastructure kind. */
export function clusterOn(kind: string, shape: ClusterShape): readonly object[] {
  const [cluster, ...others] = clusterManifests(shape) as { kind: string; spec: object }[];
  const infrastructureRef = { apiGroup: infrastructure, kind, name: shape.name };
  return [
    { ...cluster, spec: { ...cluster?.spec, infrastructureRef } },
    ...others.filter(({ kind: other }) => other !== 'DevCluster'),
  ];
}
