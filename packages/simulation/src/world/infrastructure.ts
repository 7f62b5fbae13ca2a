import { type Clock, type KeySource, type Random, sleep } from '@slipway/base';
import { connectInProcess, type Endpoint, type WorkloadCluster, WorkloadClusters } from '@slipway/dev';
import type { KubeObject } from '@slipway/kube';
import { ConnectionError, type ObjectKey, type WorkloadClient } from '@slipway/runtime';
import type { SimulatedProcess } from './simulated-process.js';

/** What goes wrong with infrastructure and with the way to workload clusters. May be changed at any time. */
export interface InfrastructureFaults {
  /** The chance that a call fails. */
  failure: number;
  /** How long a call takes. */
  latencyMs: number;
  /** Clusters that nobody reaches. */
  readonly unreachable: Set<string>;
}

/** Machines and workload clusters, which live on when processes of the management plane die. */
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

  override async ensure(key: ObjectKey, wanted: Endpoint = {}): Promise<WorkloadCluster> {
    const { failure, latencyMs } = this.faults;
    if (latencyMs > 0) await sleep(this.#clock, latencyMs);
    if (failure > 0 && this.#random.next() < failure) throw new Error('the infrastructure does not answer');
    return super.ensure(key, wanted);
  }

  /** When something began that takes its time: now, if nobody has asked before. */
  sinceMs(what: string): number {
    const since = this.#begun.get(what) ?? this.#clock.monotonic();
    this.#begun.set(what, since);
    return since;
  }

  /** As the cache of workload clusters of a process connects. */
  connect(process: SimulatedProcess, kubeconfig: string, cluster: ObjectKey): WorkloadClient {
    const client = this.isReachable(cluster) ? connectInProcess(this, kubeconfig, cluster) : undefined;
    if (client === undefined) throw unreachable(cluster);
    return guard(client, process, () => {
      if (!this.isReachable(cluster)) throw unreachable(cluster);
    });
  }

  /**
   * As one of several planes has it: what it lets go of lives on while another plane has the cluster. In memory, a plane takes
   * its machines with it when they move away; those here are nobody's.
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

/** Checks the way before every call; a watch that is open breaks at its next event. */
function guard(client: WorkloadClient, process: SimulatedProcess, check: () => void): WorkloadClient {
  return new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name === 'close') return value.bind(target) as unknown;
      if (name === 'watch')
        return (...given: Parameters<WorkloadClient['watch']>) => guardedWatch(target, given, process, check);
      return async (...given: unknown[]): Promise<unknown> => {
        await process.awake();
        check();
        return process.receive(Reflect.apply(value, target, given) as Promise<unknown>);
      };
    },
  });
}

async function* guardedWatch(
  client: WorkloadClient,
  given: Parameters<WorkloadClient['watch']>,
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
