import {
  ensureServerIdentity,
  KubernetesServer,
  memoryIdentityFiles,
  type ObjectStore,
  openMemoryStore,
} from '@slipway/apiserver';
import { seededRandom, silentLogger, type VirtualClock } from '@slipway/base';
import { ClusterDisconnected } from '@slipway/cluster-api';
import { KeyPool } from '@slipway/pki';
import { InProcessClient } from '@slipway/plane';
import type { Client, ObjectKey, Secret, RemoteClient } from '@slipway/runtime';

export interface MemoryServer {
  readonly server: KubernetesServer;
  readonly store: ObjectStore;
}

interface Workload extends MemoryServer {
  reachable: boolean;
  refused?: keyof Client | undefined;
}

/** Starts an API server in memory. Its identity is derived from a constant seed. */
export async function startMemoryServer(clock: VirtualClock): Promise<MemoryServer> {
  const store = await openMemoryStore();
  const random = seededRandom(2);
  const identity = await ensureServerIdentity(
    { clock, random, keys: new KeyPool({ size: 0 }), files: memoryIdentityFiles() },
    { keyAlgorithm: 'ECDSA' },
  );
  return { store, server: await KubernetesServer.start({ store, clock, random, logger: silentLogger, identity }) };
}

/** The workload clusters of a test: API servers in memory that a test can make unreachable. */
export class WorkloadServers {
  readonly #byCluster = new Map<string, Workload>();

  constructor(private readonly clock: VirtualClock) {}

  async add(cluster: ObjectKey): Promise<Client> {
    const started = await startMemoryServer(this.clock);
    this.#byCluster.set(keyText(cluster), { ...started, reachable: true });
    return new InProcessClient({ registry: started.server.registry });
  }

  /** Connects to a workload cluster. Used as the `connect` option of the cluster cache. */
  connect(cluster: ObjectKey): RemoteClient {
    const found = this.#byCluster.get(keyText(cluster));
    if (found === undefined) throw new ClusterDisconnected(cluster, 'Unreachable', 'there is no such workload cluster');
    return workloadClient(found);
  }

  setReachable(cluster: ObjectKey, reachable: boolean): void {
    const found = this.#byCluster.get(keyText(cluster));
    if (found !== undefined) found.reachable = reachable;
  }

  refuse(cluster: ObjectKey, method: keyof Client | undefined): void {
    const found = this.#byCluster.get(keyText(cluster));
    if (found !== undefined) found.refused = method;
  }

  async stop(): Promise<void> {
    for (const { server } of this.#byCluster.values()) await server.stop();
  }
}

const keyText = ({ namespace, name }: ObjectKey): string => `${namespace}/${name}`;

function workloadClient(workload: Workload): RemoteClient {
  const inner = Object.assign(new InProcessClient({ registry: workload.server.registry }), {
    getRaw: () => Promise.resolve('{}'),
  });
  return new Proxy(inner, {
    get(target, name) {
      if (name === 'close') return () => undefined;
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      return (...given: unknown[]): unknown => {
        if (name === workload.refused) return Promise.reject(new Error(`the simulated server rejects ${String(name)}`));
        return workload.reachable
          ? Reflect.apply(value, target, given)
          : Promise.reject(new Error('connection refused'));
      };
    },
  }) as unknown as RemoteClient;
}

/** Returns the Secret in which controllers look up the kubeconfig of a workload cluster. */
export function kubeconfigSecret(cluster: ObjectKey): Secret {
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
