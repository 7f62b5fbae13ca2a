import { ensureServerIdentity, KubernetesServer, type ObjectStore, openMemoryStore } from '@slipway/apiserver';
import { KeyPool, Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import {
  bindAdmission,
  clusterApiAdmission,
  clusterApiControllers,
  clusterApiConversions,
  clusterApiKinds,
  clusters,
  contractVersionsFrom,
  createConverters,
  featureGateDefaults,
  labels,
  machines,
} from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { findDefinition, InProcessClient, installKinds, startEmbeddedControllers } from '@slipway/plane';
import { type ObjectKey, ownerReference, type Resource, secrets } from '@slipway/runtime';
import {
  createHostControllers,
  hostAdmission,
  type HostCluster,
  hostClusters,
  hostKinds,
  type HostMachine,
  hostMachines,
} from '../src/index.js';
import type { FakeEngine } from './fake-engine.js';

export const namespace = 'default';

/** A management plane in memory with the controllers of this package and those of address pools; its user plays the others. */
export class HostPlane {
  private constructor(
    readonly client: InProcessClient,
    private readonly scope: Scope,
  ) {}

  static async start(engine: FakeEngine): Promise<HostPlane> {
    const scope = new Scope();
    const world = { clock: systemClock, random: systemRandom };
    const store: ObjectStore = await openMemoryStore(world);
    scope.defer(() => store.close());
    const files = new Map<string, string>();
    const identity = await ensureServerIdentity(
      {
        ...world,
        keys: new KeyPool(),
        files: {
          read: (name) => Promise.resolve(files.get(name)),
          write: (name, text) => Promise.resolve(void files.set(name, text)),
        },
      },
      { keyAlgorithm: 'ECDSA' },
    );
    const server = await KubernetesServer.start({ store, ...world, logger: silentLogger, identity });
    scope.defer(() => server.stop());
    const client = new InProcessClient({ registry: server.registry });
    const definitionOf = (name: string) => findDefinition(store, name);
    const kinds = {
      name: 'test',
      kinds: [...clusterApiKinds, ...hostKinds],
      converters: createConverters(clusterApiConversions, contractVersionsFrom(definitionOf)),
      rules: bindAdmission([...clusterApiAdmission, ...hostAdmission], featureGateDefaults, client),
    };
    scope.add(await installKinds(server, client, kinds, world));
    const addresses = /^(ipaddressclaim|inclusterippool)$/;
    const pools = {
      name: 'pools',
      controllers: clusterApiControllers.controllers.filter(({ name }) => addresses.test(name)),
    };
    const sets = [pools, createHostControllers(engine)];
    scope.add(await startEmbeddedControllers({ server, sets, ...world, logger: silentLogger }));
    return new HostPlane(client, scope);
  }

  stop(): Promise<void> {
    return this.scope.dispose();
  }

  /** A Cluster and its HostCluster, owned as the Cluster controller does it. */
  async createCluster(name: string, spec: HostCluster['spec'] = {}): Promise<void> {
    const cluster = await this.client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: { infrastructureRef: { apiGroup: hostClusters.group, kind: hostClusters.kind, name } },
    });
    const own = { [labels.clusterName]: name };
    await this.client.create(hostClusters, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'HostCluster',
      metadata: { name, namespace, labels: own, ownerReferences: [ownerReference(cluster)] },
      spec,
    });
  }

  /** Tells the Cluster that its infrastructure is there. */
  async provisionCluster(name: string): Promise<Frozen<HostCluster>> {
    const key = { namespace, name };
    const ready = await this.until(hostClusters, key, (one) => one.status?.initialization?.provisioned === true);
    const status = { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } };
    await this.client.patch(clusters, key, { type: 'merge', patch: { status } }, { subresource: 'status' });
    return ready;
  }

  /** A Machine with its HostMachine and bootstrap data. */
  async createMachine(
    name: string,
    options: {
      readonly cluster: string;
      readonly controlPlane?: boolean;
      readonly version?: string;
      readonly data?: string;
    },
  ): Promise<void> {
    const {
      cluster,
      controlPlane = false,
      version = 'v1.36.3',
      data = '#cloud-config\nruncmd: [kubeadm join]\n',
    } = options;
    const value = Buffer.from(data).toString('base64');
    await this.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-data`, namespace },
      data: { value },
    });
    const own = { [labels.clusterName]: cluster, ...(controlPlane ? { [labels.controlPlane]: '' } : {}) };
    const machine = await this.client.create(machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name, namespace, labels: own },
      spec: {
        clusterName: cluster,
        version,
        bootstrap: { dataSecretName: `${name}-data` },
        infrastructureRef: { apiGroup: hostMachines.group, kind: hostMachines.kind, name },
      },
    });
    await this.client.create(hostMachines, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'HostMachine',
      metadata: { name, namespace, labels: own, ownerReferences: [ownerReference(machine, { controller: true })] },
      spec: {},
    });
  }

  /** Waits for what a condition of a machine says. */
  untilMachineSays(name: string, type: string, reason: string): Promise<Frozen<HostMachine>> {
    return this.until(hostMachines, { namespace, name }, (one) => conditionOf(one, type)?.reason === reason);
  }

  async until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    holds: (object: Frozen<T>) => boolean,
    deadlineMs = 20_000,
  ): Promise<Frozen<T>> {
    const signal = AbortSignal.timeout(deadlineMs);
    let last: Frozen<T> | undefined;
    const selection = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}`, sendInitialEvents: true };
    for await (const batch of this.client.watch(resource, { ...selection, signal })) {
      for (const event of batch) {
        if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue;
        last = event.object;
        if (holds(last)) return last;
      }
    }
    throw new Error(`${resource.kind} ${key.name} did not get there: ${JSON.stringify(last, undefined, 2)}`);
  }

  async untilGone(resource: Resource, key: ObjectKey): Promise<void> {
    const signal = AbortSignal.timeout(20_000);
    const selection = { namespace: key.namespace, fieldSelector: `metadata.name=${key.name}`, sendInitialEvents: true };
    let isThere = false;
    for await (const batch of this.client.watch(resource, { ...selection, signal })) {
      for (const event of batch) {
        if (event.type === 'DELETED' || (event.type === 'BOOKMARK' && !isThere)) return;
        isThere = true;
      }
    }
    throw new Error(`${resource.kind} ${key.name} is still there`);
  }
}

interface ToldCondition {
  readonly type: string;
  readonly status: string;
  readonly reason: string;
  readonly message: string;
}

export function conditionOf(object: unknown, type: string): ToldCondition | undefined {
  const { status } = object as { status?: { conditions?: readonly ToldCondition[] } };
  return status?.conditions?.find((condition) => condition.type === type);
}
