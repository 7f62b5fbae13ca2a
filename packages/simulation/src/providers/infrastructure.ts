import { type Clock, type Random, sleep } from '@slipway/base';
import { connectInProcess, type Endpoint, type WorkloadCluster, WorkloadClusters } from '@slipway/dev';
import type { KubeObject } from '@slipway/kube';
import type { KeySource } from '@slipway/pki';
import { ConnectionError, type ObjectKey, type RemoteClient } from '@slipway/runtime';
import type { SimulatedProcess } from '../processes/simulated-process.js';

/** Faults of the infrastructure and of connections to workload clusters. They can change at any time. */
export interface InfrastructureFaults {
  /** Probability that a call fails. */
  failure: number;
  /** Duration of a call in milliseconds. */
  latencyMs: number;
  /** Unreachable clusters, as `namespace/name`. */
  readonly unreachable: Set<string>;
}

/** Machines and workload clusters. They outlive the processes of the management plane. */
export class Infrastructure extends WorkloadClusters {
  readonly faults: InfrastructureFaults = { failure: 0, latencyMs: 0, unreachable: new Set() };
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #begun = new Map<string, number>();

  constructor(options: { readonly clock: Clock; readonly random: Random; readonly keys: KeySource }) {
    super({ ...options, network: 'none' });
    this.#clock = options.clock;
    this.#random = options.random;
  }

  override async ensure(key: ObjectKey, endpoint: Endpoint = {}): Promise<WorkloadCluster> {
    const { failure, latencyMs } = this.faults;
    if (latencyMs > 0) await sleep(this.#clock, latencyMs);
    if (failure > 0 && this.#random.next() < failure) throw new Error('the infrastructure does not respond');
    return super.ensure(key, endpoint);
  }

  /** Returns the time at which the operation was first requested, which is now for a new operation. */
  sinceMs(operation: string): number {
    const since = this.#begun.get(operation) ?? this.#clock.monotonic();
    this.#begun.set(operation, since);
    return since;
  }

  /** Connects a process to a workload cluster. Used as the `connect` option of the cluster cache. */
  connect(process: SimulatedProcess, kubeconfig: string, cluster: ObjectKey): RemoteClient {
    const client = this.isReachable(cluster) ? connectInProcess(this, kubeconfig, cluster) : undefined;
    if (client === undefined) throw unreachable(cluster);
    return guard(client, process, () => {
      if (!this.isReachable(cluster)) throw unreachable(cluster);
    });
  }

  /**
   * Returns the infrastructure as one of several planes sees it: a cluster that this plane removes is kept while another plane
   * has it, because machines belong to no plane here. In the in-memory provider they do.
   */
  seenBy(isElsewhere: (key: ObjectKey) => boolean): Infrastructure {
    const remove = async (key: ObjectKey): Promise<void> => (isElsewhere(key) ? undefined : this.remove(key));
    return new Proxy(this, {
      get(target, name) {
        if (name === 'remove') return remove;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
  }

  isReachable({ namespace, name }: ObjectKey): boolean {
    return !this.faults.unreachable.has(`${namespace}/${name}`);
  }
}

function unreachable({ namespace, name }: ObjectKey): ConnectionError {
  return new ConnectionError('unreachable', `cannot reach ${namespace}/${name}`, { unsent: true });
}

/** Wraps a client so that every call checks whether the cluster is reachable. An open watch fails at its next event. */
function guard(client: RemoteClient, process: SimulatedProcess, check: () => void): RemoteClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'close') return value.bind(target) as unknown;
      if (name === 'watch')
        return (...given: Parameters<RemoteClient['watch']>) => guardedWatch(target, given, process, check);
      return async (...given: unknown[]): Promise<unknown> => {
        await process.awake();
        check();
        return process.receive(Reflect.apply(value, target, given) as Promise<unknown>);
      };
    },
  });
}

async function* guardedWatch(
  client: RemoteClient,
  given: Parameters<RemoteClient['watch']>,
  process: SimulatedProcess,
  check: () => void,
): AsyncGenerator<unknown> {
  await process.awake();
  check();
  for await (const batch of client.watch<KubeObject>(...given)) {
    await process.awake();
    check();
    yield batch;
  }
}
