import {
  ensureServerIdentity,
  memoryIdentityFiles,
  KubernetesServer,
  type ObjectStore,
  openMemoryStore,
} from '@slipway/apiserver';
import { type Disposable, KeyPool, type Logger, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  ChangeFeed,
  type Client,
  ClusterDisconnected,
  type ControllerChoices,
  type ControllerSet,
  namespaces,
  type ObjectKey,
  type Resource,
  type Secret,
  secrets,
  type WorkloadClient,
} from '@slipway/runtime';
import { findDefinition, InProcessClient, installKinds, type KindSet, startEmbeddedControllers } from '../src/index.js';

interface TestPlaneOptions {
  readonly sets: readonly ControllerSet[];
  /** They may need to look up definitions, to convert references. */
  readonly kinds: (find: (name: string) => ReturnType<typeof findDefinition>, client: Client) => KindSet;
  readonly namespace?: string;
  readonly choices?: ControllerChoices;
  /** Shared with what lives beside the plane, such as simulated infrastructure. */
  readonly clock?: VirtualClock;
  readonly logger?: Logger;
}

/** A management plane in memory and in virtual time, with workload clusters that are servers in memory too. */
export interface TestPlane {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly store: ObjectStore;
  /** The changes of its controllers, across restarts. */
  readonly changes: ChangeFeed;
  /** Makes a workload cluster, and the Secret by which it is found, unless that is to come from a controller. */
  addWorkload(cluster: ObjectKey, options?: { readonly kubeconfig: boolean }): Promise<Client>;
  /** Its requests fail from now on, or no longer. */
  setReachable(cluster: ObjectKey, reachable: boolean): void;
  /** Requests of this name fail there from now on; undefined lets all pass again. */
  refuse(cluster: ObjectKey, method: keyof Client | undefined): void;
  /** The object once `check` says so. Time passes meanwhile. */
  until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    check: (object: Frozen<T>) => boolean,
  ): Promise<Frozen<T>>;
  untilGone(resource: Resource, key: ObjectKey): Promise<void>;
  /** Lets everything that is due happen. */
  settle(): Promise<void>;
  restartControllers(): Promise<void>;
  stop(): Promise<void>;
}

/** How long a test waits in real time before it says what it saw last. */
const patienceMs = 60_000;
const stepMs = 10;

export async function startTestPlane(options: TestPlaneOptions): Promise<TestPlane> {
  const random = seededRandom(1);
  const { clock = new VirtualClock(), sets, choices, logger = silentLogger } = options;
  const { server, store } = await startServer(clock);
  const client = new InProcessClient({ registry: server.registry });
  const kinds = await installKinds(
    server,
    client,
    options.kinds((name) => findDefinition(store, name), client),
    {
      clock,
      random,
    },
  );
  await ensureNamespace(client, options.namespace ?? 'default');
  const workloads = new Map<string, Workload>();
  const connect = (_kubeconfig: string, cluster: ObjectKey): WorkloadClient => {
    const found = workloads.get(`${cluster.namespace}/${cluster.name}`);
    if (found === undefined) throw new ClusterDisconnected(cluster, 'Unreachable', 'there is no such workload cluster');
    return workloadClient(found);
  };
  const changes = new ChangeFeed();
  const startControllers = (): Promise<Disposable> =>
    startEmbeddedControllers({ server, sets, ...(choices && { choices }), clock, random, logger, connect, changes });
  let controllers = await startControllers();
  const pause = (): Promise<void> => clock.advance(stepMs);
  return {
    client,
    clock,
    store,
    changes,
    async addWorkload(cluster, { kubeconfig } = { kubeconfig: true }) {
      const workload = await startServer(clock);
      workloads.set(`${cluster.namespace}/${cluster.name}`, { ...workload, reachable: true });
      if (kubeconfig) await client.create(secrets, kubeconfigSecret(cluster));
      return new InProcessClient({ registry: workload.server.registry });
    },
    setReachable(cluster, reachable) {
      const found = workloads.get(`${cluster.namespace}/${cluster.name}`);
      if (found !== undefined) found.reachable = reachable;
    },
    refuse(cluster, method) {
      const found = workloads.get(`${cluster.namespace}/${cluster.name}`);
      if (found !== undefined) found.refused = method;
    },
    until: (resource, key, check) => until(client, pause, resource, key, check),
    untilGone: (resource, key) => untilGone(client, pause, resource, key),
    settle: () => clock.advance(500),
    async restartControllers() {
      await controllers.dispose();
      controllers = await startControllers();
    },
    async stop() {
      await controllers.dispose();
      await kinds.dispose();
      for (const workload of workloads.values()) await workload.server.stop();
      await server.stop();
      await store.close();
    },
  };
}

interface Workload {
  readonly server: KubernetesServer;
  readonly store: ObjectStore;
  reachable: boolean;
  refused?: keyof Client | undefined;
}

async function startServer(clock: VirtualClock): Promise<{ server: KubernetesServer; store: ObjectStore }> {
  const store = await openMemoryStore();
  const random = seededRandom(2);
  const identity = await ensureServerIdentity(
    { clock, random, keys: new KeyPool({ size: 0 }), files: memoryIdentityFiles() },
    { keyAlgorithm: 'ECDSA' },
  );
  return { store, server: await KubernetesServer.start({ store, clock, random, logger: silentLogger, identity }) };
}

function workloadClient(workload: Workload): WorkloadClient {
  const inner = Object.assign(new InProcessClient({ registry: workload.server.registry }), {
    getRaw: () => Promise.resolve('{}'),
  });
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'close') return () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (name === workload.refused) return Promise.reject(new Error(`${String(name)} is refused`));
        return workload.reachable
          ? Reflect.apply(value, target, given)
          : Promise.reject(new Error('connection refused'));
      };
    },
  }) as unknown as WorkloadClient;
}

function kubeconfigSecret(cluster: ObjectKey): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: `${cluster.name}-kubeconfig`,
      namespace: cluster.namespace,
      labels: { 'cluster.x-k8s.io/cluster-name': cluster.name },
    },
    type: 'cluster.x-k8s.io/secret',
    data: { value: Buffer.from('apiVersion: v1').toString('base64') },
  };
}

async function ensureNamespace(client: Client, name: string): Promise<void> {
  try {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!isReason(error, 'AlreadyExists')) throw error;
  }
}

async function until<T extends KubeObject>(
  client: Client,
  pause: () => Promise<void>,
  resource: Resource<T>,
  key: ObjectKey,
  check: (object: Frozen<T>) => boolean,
): Promise<Frozen<T>> {
  let last: Frozen<T> | undefined;
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause()) {
    last = await find(client, resource, key);
    if (last !== undefined && check(last)) return last;
  }
  throw new Error(`${resource.kind} ${key.namespace}/${key.name} did not get there: ${JSON.stringify(last, null, 1)}`);
}

async function untilGone(
  client: Client,
  pause: () => Promise<void>,
  resource: Resource,
  key: ObjectKey,
): Promise<void> {
  let last: Frozen<KubeObject> | undefined;
  for (const end = Date.now() + patienceMs; Date.now() < end; await pause()) {
    last = await find(client, resource, key);
    if (last === undefined) return;
  }
  throw new Error(`${resource.kind} ${key.namespace}/${key.name} is still there: ${JSON.stringify(last, null, 1)}`);
}

async function find<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  key: ObjectKey,
): Promise<Frozen<T> | undefined> {
  try {
    return await client.get(resource, key);
  } catch (error) {
    if (isReason(error, 'NotFound')) return undefined;
    throw error;
  }
}
