import { ensureServerIdentity, KubernetesServer, openMemoryStore } from '@slipway/apiserver';
import { type Disposable, KeyPool, Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
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
  createKVMControllers,
  type KVMControllersOptions,
  kvmAdmission,
  type KVMCluster,
  kvmClusters,
  kvmKinds,
  type KVMMachine,
  kvmMachines,
} from '../../src/index.js';

export const namespace = 'default';
export const keyOf = (name: string): ObjectKey => ({ namespace, name });
const world = { clock: systemClock, random: systemRandom };

interface MachineOptions {
  readonly cluster: string;
  readonly controlPlane?: boolean;
  readonly data?: string;
  readonly format?: string;
  readonly spec?: KVMMachine['spec'];
}

/** A management plane in memory with the controllers of this package and those of address pools; its user plays the others. */
export class KVMPlane {
  #controllers: Disposable | undefined;

  private constructor(
    readonly server: KubernetesServer,
    readonly client: InProcessClient,
    private readonly scope: Scope,
  ) {}

  static async start(options: KVMControllersOptions): Promise<KVMPlane> {
    const scope = new Scope();
    const store = await openMemoryStore(world);
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
      kinds: [...clusterApiKinds, ...kvmKinds],
      converters: createConverters(clusterApiConversions, contractVersionsFrom(definitionOf)),
      rules: bindAdmission([...clusterApiAdmission, ...kvmAdmission], featureGateDefaults, client),
    };
    scope.add(await installKinds(server, client, kinds, world));
    const plane = new KVMPlane(server, client, scope);
    await plane.startControllers(options);
    return plane;
  }

  async startControllers(options: KVMControllersOptions): Promise<void> {
    await this.#controllers?.dispose();
    const addresses = /^(ipaddressclaim|inclusterippool)$/;
    const pools = {
      name: 'pools',
      controllers: clusterApiControllers.controllers.filter(({ name }) => addresses.test(name)),
    };
    const sets = [pools, createKVMControllers(() => options)];
    const { server } = this;
    this.#controllers = await startEmbeddedControllers({ server, sets, ...world, logger: silentLogger });
  }

  async stopControllers(): Promise<void> {
    await this.#controllers?.dispose();
    this.#controllers = undefined;
  }

  async stop(): Promise<void> {
    await this.stopControllers();
    await this.scope.dispose();
  }

  /** A Cluster and its KVMCluster, owned as the Cluster controller does it. */
  async createCluster(name: string, spec: KVMCluster['spec'] = {}): Promise<void> {
    const cluster = await this.client.create(clusters, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Cluster',
      metadata: { name, namespace },
      spec: { infrastructureRef: { apiGroup: kvmClusters.group, kind: kvmClusters.kind, name } },
    });
    await this.client.create(kvmClusters, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'KVMCluster',
      metadata: { name, namespace, labels: { [labels.clusterName]: name }, ownerReferences: [ownerReference(cluster)] },
      spec,
    });
  }

  /** Tells the Cluster that its infrastructure is there. */
  async provisionCluster(name: string): Promise<Frozen<KVMCluster>> {
    const isProvisioned = (one: Frozen<KVMCluster>) => one.status?.initialization?.provisioned === true;
    const ready = await this.until(kvmClusters, keyOf(name), isProvisioned);
    const status = { initialization: { infrastructureProvisioned: true, controlPlaneInitialized: true } };
    await this.client.patch(clusters, keyOf(name), { type: 'merge', patch: { status } }, { subresource: 'status' });
    return ready;
  }

  /** A Machine with its KVMMachine and bootstrap data. */
  async createMachine(name: string, options: MachineOptions): Promise<void> {
    const {
      cluster,
      controlPlane = false,
      data = '#cloud-config\nruncmd: [kubeadm join]\n',
      format,
      spec = {},
    } = options;
    const base64 = (text: string): string => Buffer.from(text).toString('base64');
    await this.client.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: `${name}-data`, namespace },
      data: { value: base64(data), ...(format !== undefined && { format: base64(format) }) },
    });
    const own = { [labels.clusterName]: cluster, ...(controlPlane ? { [labels.controlPlane]: '' } : {}) };
    const machine = await this.client.create(machines, {
      apiVersion: 'cluster.x-k8s.io/v1beta2',
      kind: 'Machine',
      metadata: { name, namespace, labels: own },
      spec: {
        clusterName: cluster,
        version: 'v1.36.3',
        bootstrap: { dataSecretName: `${name}-data` },
        infrastructureRef: { apiGroup: kvmMachines.group, kind: kvmMachines.kind, name },
      },
    });
    await this.client.create(kvmMachines, {
      apiVersion: 'infrastructure.cluster.x-k8s.io/v1beta2',
      kind: 'KVMMachine',
      metadata: { name, namespace, labels: own, ownerReferences: [ownerReference(machine, { controller: true })] },
      spec,
    });
  }

  untilMachine(
    name: string,
    holds: (object: Frozen<KVMMachine>) => boolean,
    deadlineMs?: number,
  ): Promise<Frozen<KVMMachine>> {
    return this.until(kvmMachines, keyOf(name), holds, deadlineMs);
  }

  /** Waits for what a condition of a machine says. */
  untilMachineSays(name: string, type: string, reason: string, deadlineMs?: number): Promise<Frozen<KVMMachine>> {
    return this.untilMachine(name, (one) => conditionOf(one, type)?.reason === reason, deadlineMs);
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

  async untilGone(resource: Resource, key: ObjectKey, deadlineMs = 20_000): Promise<void> {
    const signal = AbortSignal.timeout(deadlineMs);
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
