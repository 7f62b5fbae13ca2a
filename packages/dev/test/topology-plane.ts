import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterClasses,
  clusters,
  type FeatureGates as Gates,
  featureGateDefaults,
  labels,
  machineDeployments,
  machineHealthChecks,
  machinePools,
  machines,
  topologyControllers,
} from '@slipway/cluster-api';
import { kubeadmAdmission, kubeadmControllers } from '@slipway/kubeadm';
import type { Frozen, KubeObject } from '@slipway/kube';
import { KeyPool } from '@slipway/pki';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import {
  type Client,
  type Condition,
  type Conditioned,
  getCondition,
  namespaces,
  type ObjectKey,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { startEmbeddedServer } from '@slipway/testing/plane';
import { createDev, devAdmission } from '../src/index.js';
import { allKinds } from './all-kinds.js';

export const namespace = 'topologies';
const timeoutMs = 60_000;

const provider = (group: string, kind: string, plural: string): Resource => ({
  group: `${group}.cluster.x-k8s.io`,
  version: 'v1beta2',
  kind,
  plural,
  namespaced: true,
});

/** The resources that a topology is created from, and those that it creates. */
export const resources = {
  devClusters: provider('infrastructure', 'DevCluster', 'devclusters'),
  devClusterTemplates: provider('infrastructure', 'DevClusterTemplate', 'devclustertemplates'),
  devMachineTemplates: provider('infrastructure', 'DevMachineTemplate', 'devmachinetemplates'),
  devMachinePools: provider('infrastructure', 'DevMachinePool', 'devmachinepools'),
  devMachinePoolTemplates: provider('infrastructure', 'DevMachinePoolTemplate', 'devmachinepooltemplates'),
  kubeadmConfigs: provider('bootstrap', 'KubeadmConfig', 'kubeadmconfigs'),
  kubeadmControlPlanes: provider('controlplane', 'KubeadmControlPlane', 'kubeadmcontrolplanes'),
  kubeadmControlPlaneTemplates: provider('controlplane', 'KubeadmControlPlaneTemplate', 'kubeadmcontrolplanetemplates'),
  kubeadmConfigTemplates: provider('bootstrap', 'KubeadmConfigTemplate', 'kubeadmconfigtemplates'),
  clusters: clusters,
  clusterClasses: clusterClasses,
  machineDeployments: machineDeployments,
  machinePools: machinePools,
  machines: machines,
  machineHealthChecks: machineHealthChecks,
  secrets: secrets,
  events: { group: '', version: 'v1', kind: 'Event', plural: 'events', namespaced: true },
} as const;

/** The fields of a MachineDeployment that tests read. */
export interface Deployment {
  readonly template: {
    readonly spec: { readonly version: string; readonly infrastructureRef: { readonly name: string } };
  };
}

export function condition(object: Frozen<KubeObject>, type: string): Readonly<Condition> | undefined {
  return getCondition(object as Conditioned, type);
}

export interface TopologyPlane {
  readonly client: Client;
  create(resource: Resource, object: object): Promise<Frozen<KubeObject>>;
  get(resource: Resource, name: string): Promise<Frozen<KubeObject>>;
  list(resource: Resource): Promise<readonly Frozen<KubeObject>[]>;
  /** Watches until `find` returns a value. */
  until<T>(resource: Resource, find: (objects: readonly Frozen<KubeObject>[]) => T | undefined): Promise<T>;
  merge(resource: Resource, name: string, patch: object, subresource?: string): Promise<void>;
  /** Returns the objects of a cluster. */
  named(resource: Resource, cluster: string): Promise<readonly Frozen<KubeObject>[]>;
  /** Returns the resourceVersions of all objects that a topology created, by kind and name. */
  written(cluster: string): Promise<Record<string, string>>;
  /** Waits until the TopologyReconciled condition matches. */
  conditionOf(cluster: string, expected: Partial<Condition>): Promise<Readonly<Condition>>;
  stop(): Promise<void>;
}

/**
 * Starts a server with all kinds. Either only the controllers of ClusterClasses and topologies run and the test simulates all
 * others, or all controllers run with simulated machines.
 */
export async function startTopologyPlane(
  gates: Partial<Gates> = {},
  running: 'topologies' | 'all' = 'topologies',
): Promise<TopologyPlane> {
  const features = { ...featureGateDefaults, ClusterTopology: true, ...gates };
  const embedded = await startEmbeddedServer();
  const { server, store } = embedded;
  const client = new InProcessClient({ registry: server.registry });
  const kinds = {
    ...allKinds((name) => findDefinition(store, name)),
    rules: bindAdmission([...clusterApiAdmission, ...kubeadmAdmission, ...devAdmission], features, client),
  };
  await installKinds(server, client, kinds, { clock: systemClock, random: systemRandom });
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const scope = new Scope();
  const dev = createDev({ clock: systemClock, random: systemRandom, keys: new KeyPool(), network: 'none' });
  scope.add(dev);
  const alone = { ...clusterApiControllers, controllers: topologyControllers };
  const chosen = Object.entries(features).filter(([name, open]) => open !== featureGateDefaults[name as keyof Gates]);
  scope.add(
    await startEmbeddedControllers({
      server,
      sets: running === 'all' ? [clusterApiControllers, kubeadmControllers, dev.controllers] : [alone],
      choices: { featureGates: chosen.map(([name, open]) => `${name}=${open}`).join(',') },
      clock: systemClock,
      random: systemRandom,
      logger: silentLogger,
      connect: dev.connect,
    }),
  );
  const key = (name: string): ObjectKey => ({ namespace, name });
  const list = async (resource: Resource): Promise<readonly Frozen<KubeObject>[]> =>
    (await client.list(resource, { namespace })).items;
  return {
    client,
    list,
    create: (resource, object) => client.create(resource, object as KubeObject),
    get: (resource, name) => client.get(resource, key(name)),
    until: (resource, find) => until(client, resource, find),
    async merge(resource, name, patch, subresource) {
      const body = { type: 'merge', patch: patch as Record<string, never> } as const;
      await client.patch(resource, key(name), body, subresource === undefined ? {} : { subresource });
    },
    named: async (resource, cluster) =>
      (await list(resource)).filter(({ metadata }) => metadata.labels?.[labels.clusterName] === cluster),
    async written(cluster) {
      const { clusterClasses: _classes, secrets: _secrets, events: _events, ...made } = resources;
      const found: Record<string, string> = {};
      for (const resource of Object.values(made)) {
        for (const { kind, metadata } of await list(resource)) {
          const isItself = kind === 'Cluster' && metadata.name === cluster;
          if (isItself || metadata.labels?.[labels.clusterName] === cluster)
            found[`${kind} ${metadata.name ?? ''}`] = metadata.resourceVersion ?? '';
        }
      }
      return found;
    },
    conditionOf: (cluster, expected) =>
      until(client, resources.clusters, (found) => {
        const object = found.find(({ metadata }) => metadata.name === cluster);
        const present = object === undefined ? undefined : condition(object, 'TopologyReconciled');
        const matches = Object.entries(expected).every(([key, value]) => present?.[key as keyof Condition] === value);
        return matches ? present : undefined;
      }),
    async stop() {
      await scope.dispose();
      await embedded.stop();
    },
  };
}

async function until<T>(
  client: Client,
  resource: Resource,
  find: (objects: readonly Frozen<KubeObject>[]) => T | undefined,
): Promise<T> {
  const signal = AbortSignal.timeout(timeoutMs);
  const scope = resource.namespaced ? { namespace } : {};
  for (;;) {
    const { items, resourceVersion } = await client.list(resource, scope);
    const found = find(items);
    if (found !== undefined) return found;
    try {
      for await (const _events of client.watch(resource, { ...scope, resourceVersion, signal })) break;
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    if (signal.aborted)
      throw new Error(
        `no matching ${resource.kind}: ${JSON.stringify(items.map(({ metadata, ...rest }) => [metadata.name, metadata.annotations, rest['status']]))}`,
      );
  }
}
