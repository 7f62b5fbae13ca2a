import type { ObjectStore } from '@slipway/apiserver';
import { type Disposable, type Logger, seededRandom, silentLogger, VirtualClock } from '@slipway/base';
import { type Frozen, isReason, type KubeObject } from '@slipway/kube';
import { findDefinition, InProcessClient, installKinds, type KindSet, startEmbeddedControllers } from '@slipway/plane';
import {
  ChangeFeed,
  type Client,
  type ControllerChoices,
  type ControllerSet,
  namespaces,
  type ObjectKey,
  type Resource,
  secrets,
  type RemoteClient,
} from '@slipway/runtime';
import { kubeconfigSecret, startMemoryServer, WorkloadServers } from './workload-servers.js';

interface TestPlaneOptions {
  readonly sets: readonly ControllerSet[];
  /** Returns the kinds to install. `find` looks up a CRD, which conversions of references need. */
  readonly kinds: (find: (name: string) => ReturnType<typeof findDefinition>, client: Client) => KindSet;
  readonly namespace?: string;
  readonly choices?: ControllerChoices;
  /** The plane's clock. Set it to share the clock, for example with simulated infrastructure. */
  readonly clock?: VirtualClock;
  readonly logger?: Logger;
}

/** A management plane in memory and in virtual time, with workload clusters that are API servers in memory. */
export interface TestPlane {
  readonly client: Client;
  readonly clock: VirtualClock;
  readonly store: ObjectStore;
  /** The changes made by the plane's controllers, also before a restart. */
  readonly changes: ChangeFeed;
  /**
   * Starts a workload cluster and creates its kubeconfig Secret. With `kubeconfig: false` a controller has to create the Secret.
   */
  addWorkload(cluster: ObjectKey, options?: { readonly kubeconfig: boolean }): Promise<Client>;
  /** Sets whether requests to the workload cluster succeed. */
  setReachable(cluster: ObjectKey, reachable: boolean): void;
  /** Makes calls of one client method to the workload cluster fail. Undefined lets them succeed again. */
  refuse(cluster: ObjectKey, method: keyof Client | undefined): void;
  /** Advances time until `check` returns true for the object, and returns the object. */
  until<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    check: (object: Frozen<T>) => boolean,
  ): Promise<Frozen<T>>;
  untilGone(resource: Resource, key: ObjectKey): Promise<void>;
  /** Advances time by half a second, so that controllers finish pending work. */
  settle(): Promise<void>;
  restartControllers(options?: { readonly dryRun?: boolean }): Promise<void>;
  stop(): Promise<void>;
}

/** How long a test waits in real time before it fails with the last observed object. */
const timeoutMs = 60_000;
const stepMs = 10;

export async function startTestPlane(options: TestPlaneOptions): Promise<TestPlane> {
  const random = seededRandom(1);
  const { clock = new VirtualClock(), sets, choices, logger = silentLogger } = options;
  const { server, store } = await startMemoryServer(clock);
  const client = new InProcessClient({ registry: server.registry });
  const kindSet = options.kinds((name) => findDefinition(store, name), client);
  const kinds = await installKinds(server, client, kindSet, { clock, random });
  await ensureNamespace(client, options.namespace ?? 'default');
  const workloads = new WorkloadServers(clock);
  const connect = (_kubeconfig: string, cluster: ObjectKey): RemoteClient => workloads.connect(cluster);
  const changes = new ChangeFeed();
  const dependencies = { clock, random, logger, connect, changes };
  const startControllers = (dryRun = false): Promise<Disposable> =>
    startEmbeddedControllers({ server, sets, ...(choices && { choices }), ...dependencies, ...(dryRun && { dryRun }) });
  let controllers = await startControllers();
  const pause = (): Promise<void> => clock.advance(stepMs);
  return {
    client,
    clock,
    store,
    changes,
    async addWorkload(cluster, { kubeconfig } = { kubeconfig: true }) {
      const workload = await workloads.add(cluster);
      if (kubeconfig) await client.create(secrets, kubeconfigSecret(cluster));
      return workload;
    },
    setReachable: (cluster, reachable) => workloads.setReachable(cluster, reachable),
    refuse: (cluster, method) => workloads.refuse(cluster, method),
    until: (resource, key, check) => until(client, pause, resource, key, check),
    untilGone: (resource, key) => untilGone(client, pause, resource, key),
    settle: () => clock.advance(500),
    async restartControllers({ dryRun } = {}) {
      await controllers.dispose();
      controllers = await startControllers(dryRun);
    },
    async stop() {
      await controllers.dispose();
      await kinds.dispose();
      await workloads.stop();
      await server.stop();
      await store.close();
    },
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
  for (const end = Date.now() + timeoutMs; Date.now() < end; await pause()) {
    last = await find(client, resource, key);
    if (last !== undefined && check(last)) return last;
  }
  throw new Error(
    `${resource.kind} ${key.namespace}/${key.name} did not reach the expected state: ${JSON.stringify(last, null, 1)}`,
  );
}

async function untilGone(
  client: Client,
  pause: () => Promise<void>,
  resource: Resource,
  key: ObjectKey,
): Promise<void> {
  let last: Frozen<KubeObject> | undefined;
  for (const end = Date.now() + timeoutMs; Date.now() < end; await pause()) {
    last = await find(client, resource, key);
    if (last === undefined) return;
  }
  throw new Error(`${resource.kind} ${key.namespace}/${key.name} still exists: ${JSON.stringify(last, null, 1)}`);
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
