import { deepFreeze, type Frozen, type KubeObject } from '@slipway/kube';
import type { Cluster, ClusterClass, MachineDeployment } from '../api/index.js';
import { labels } from '../api/index.js';
import type { Blueprint, CurrentDeployment, CurrentState, ObservedClass } from '../topology/topology-state.js';

const infrastructure = 'infrastructure.example.com/v1';

export interface TopologyFixture {
  readonly classSpec?: Partial<ClusterClass['spec']>;
  readonly controlPlaneClass?: object;
  readonly workerClass?: object;
  readonly variables?: NonNullable<ClusterClass['status']>['variables'];
  readonly topology?: Partial<NonNullable<Cluster['spec']['topology']>>;
  readonly contract?: 'v1beta1' | 'v1beta2';
  readonly clusterSpec?: Partial<Cluster['spec']>;
  readonly annotations?: Record<string, string>;
}

/** A template of a fake provider whose spec identifies it. */
export function templateFixture(apiVersion: string, kind: string, name: string, spec: object = {}): Frozen<KubeObject> {
  return deepFreeze({
    apiVersion,
    kind,
    metadata: { name, namespace: 'classes', labels: { 'template-label': name } },
    spec: { template: { metadata: { labels: { 'object-label': name } }, spec: { from: name, ...spec } } },
  }) as Frozen<KubeObject>;
}

/** A Cluster `c` with a topology of the class `classy`. */
export function topologyCluster(fixture: TopologyFixture = {}): Frozen<Cluster> {
  const topology = {
    classRef: { name: 'classy', namespace: 'classes' },
    version: 'v1.35.0',
    controlPlane: { replicas: 3 },
    workers: { machineDeployments: [{ name: 'md', class: 'worker', replicas: 2 }] },
    ...fixture.topology,
  };
  return deepFreeze({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: {
      name: 'c',
      namespace: 'default',
      uid: 'cluster-uid',
      generation: 1,
      annotations: fixture.annotations ?? {},
    },
    spec: { ...fixture.clusterSpec, topology },
  }) as Frozen<Cluster>;
}

const reference = (apiVersion: string, kind: string, name: string) => ({ apiVersion, kind, name });

export function topologyClass(fixture: TopologyFixture = {}): ObservedClass {
  const workers = [
    {
      class: 'worker',
      bootstrap: { templateRef: reference('bootstrap.example.com/v1', 'BootTemplate', 'boot') },
      infrastructure: { templateRef: reference(infrastructure, 'VMTemplate', 'vm') },
      ...fixture.workerClass,
    },
  ];
  return deepFreeze({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'ClusterClass',
    metadata: { name: 'classy', namespace: 'classes', uid: 'class-uid', generation: 1 },
    spec: {
      infrastructure: { templateRef: reference(infrastructure, 'InfraTemplate', 'infra') },
      controlPlane: {
        templateRef: reference('controlplane.example.com/v1', 'ControlTemplate', 'control'),
        machineInfrastructure: { templateRef: reference(infrastructure, 'VMTemplate', 'control-vm') },
        ...fixture.controlPlaneClass,
      },
      workers: {
        machineDeployments: workers,
        machinePools: workers.map(({ ...pool }) => ({ ...pool, class: 'pool' })),
      },
      ...fixture.classSpec,
    },
    status: { observedGeneration: 1, ...(fixture.variables && { variables: fixture.variables }) },
  }) as ObservedClass;
}

export function blueprintFixture(fixture: TopologyFixture = {}): Blueprint {
  const clusterClass = topologyClass(fixture);
  const { topology } = topologyCluster(fixture).spec;
  if (topology === undefined) throw new Error('the fixture has no topology');
  const boot = templateFixture('bootstrap.example.com/v1', 'BootTemplate', 'boot');
  const vm = templateFixture(infrastructure, 'VMTemplate', 'vm');
  const { machineDeployments = [], machinePools = [] } = clusterClass.spec.workers ?? {};
  const machine = clusterClass.spec.controlPlane.machineInfrastructure;
  return {
    topology,
    clusterClass,
    infrastructureCluster: templateFixture(infrastructure, 'InfraTemplate', 'infra'),
    controlPlane: {
      template: templateFixture('controlplane.example.com/v1', 'ControlTemplate', 'control'),
      contract: fixture.contract ?? 'v1beta2',
      ...(machine && { machineInfrastructure: templateFixture(infrastructure, 'VMTemplate', 'control-vm') }),
    },
    machineDeployments: new Map(
      machineDeployments.map((workerClass) => [
        workerClass.class,
        { workerClass, bootstrap: boot, infrastructure: vm },
      ]),
    ),
    machinePools: new Map(
      machinePools.map((workerClass) => [workerClass.class, { workerClass, bootstrap: boot, infrastructure: vm }]),
    ),
  };
}

/** A cluster without any objects. */
export function emptyState(fixture: TopologyFixture = {}): CurrentState {
  return { cluster: topologyCluster(fixture), machineDeployments: new Map(), machinePools: new Map() };
}

export function controlPlaneFixture(
  version: string,
  statusVersions: readonly string[] = [version],
): Frozen<KubeObject> {
  return deepFreeze({
    apiVersion: 'controlplane.example.com/v1',
    kind: 'Control',
    metadata: { name: 'c-control', namespace: 'default', uid: 'control-uid' },
    spec: { version },
    status: { versions: statusVersions.map((text) => ({ version: text, replicas: 1 })) },
  }) as Frozen<KubeObject>;
}

export function deploymentFixture(
  topologyName: string,
  version: string,
  options: { readonly isUpgrading?: boolean; readonly name?: string } = {},
): CurrentDeployment {
  const name = options.name ?? `c-${topologyName}`;
  const object = deepFreeze({
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineDeployment',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      labels: {
        [labels.clusterName]: 'c',
        [labels.topologyOwned]: '',
        [labels.topologyDeploymentName]: topologyName,
      },
    },
    spec: { clusterName: 'c', selector: {}, template: { spec: { clusterName: 'c', version } } },
  }) as unknown as Frozen<MachineDeployment>;
  const part = (kind: string, suffix: string): Frozen<KubeObject> =>
    deepFreeze({ apiVersion: infrastructure, kind, metadata: { name: `${name}-${suffix}`, namespace: 'default' } });
  return {
    object,
    bootstrap: part('BootTemplate', 'boot'),
    infrastructure: part('VMTemplate', 'vm'),
    isUpgrading: options.isUpgrading ?? false,
  };
}
