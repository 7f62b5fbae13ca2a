import {
  type Clock,
  type Disposable,
  KeyPool,
  type KeySource,
  type Logger,
  type PrivateKey,
  type Random,
  silentLogger,
} from '@slipway/base';
import type { ObjectKey } from '@slipway/runtime';
import { isTaken, Listener, type PortRange, PortsExhausted } from './listener.js';
import { WorkloadCluster, type WorkloadWorld } from './workload-cluster.js';
import { WorkloadTemplates } from './workload-templates.js';

export interface WorkloadClustersOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  readonly keys?: KeySource;
  /** 'none': clusters are reached only in process, and their ports are but numbers. */
  readonly network?: 'loopback' | 'none';
  readonly ports?: PortRange;
  /** Where clusters answer unless theirs says otherwise: in a pod, the address at which others reach it. */
  readonly address?: string;
}

export interface Endpoint {
  readonly host?: string;
  readonly port?: number;
}

/** An endpoint to be held for a cluster. */
export interface WantedEndpoint extends Endpoint {
  /** A load balancer has it, which gives each connection to a machine. */
  readonly isBalanced?: boolean;
}

const addressDefault = '127.0.0.1';
/** Upstream's range. Outgoing connections get theirs from above it, so that a port is still free after a restart. */
const portsDefault: PortRange = { first: 20_000, last: 30_000 };

/** Every simulated cluster of this process, by the namespace and name of its Cluster. */
export class WorkloadClusters implements Disposable {
  readonly #clusters = new Map<string, Promise<WorkloadCluster>>();
  readonly #open = new Map<string, WorkloadCluster>();
  readonly #ports = new Map<number, WorkloadCluster>();
  readonly #world: WorkloadWorld;
  readonly #range: PortRange;
  readonly #network: 'loopback' | 'none';
  readonly #address: string;
  #nextPort: number;

  constructor(options: WorkloadClustersOptions) {
    const { clock, random, logger = silentLogger, keys = new KeyPool() } = options;
    let servingKey: Promise<PrivateKey> | undefined;
    this.#world = {
      clock,
      random,
      logger,
      keys,
      templates: new WorkloadTemplates({ clock, random }),
      servingKey: () => (servingKey ??= keys.next('ECDSA')),
    };
    this.#range = options.ports ?? portsDefault;
    this.#network = options.network ?? 'loopback';
    this.#address = options.address ?? addressDefault;
    // From anywhere in the range: another plane on this machine must not take what ours had before a restart.
    const { first, last } = this.#range;
    this.#nextPort = first + Math.floor(random.next() * (last - first + 1));
  }

  get(key: ObjectKey): WorkloadCluster | undefined {
    return this.#open.get(textOf(key));
  }

  /** The cluster that answers, or will answer, on a port of this machine. */
  at(port: number): WorkloadCluster | undefined {
    return this.#ports.get(port);
  }

  get size(): number {
    return this.#open.size;
  }

  /** The cluster, with a port of its own: the wanted one, or the next that is free. */
  async ensure(key: ObjectKey, wanted: WantedEndpoint = {}): Promise<WorkloadCluster> {
    const text = textOf(key);
    let cluster = this.#clusters.get(text);
    if (cluster === undefined) {
      cluster = this.#reserve(key, wanted);
      this.#clusters.set(text, cluster);
      cluster.catch(() => this.#clusters.delete(text));
    }
    return cluster;
  }

  async remove(key: ObjectKey): Promise<void> {
    const text = textOf(key);
    const pending = this.#clusters.get(text);
    if (pending === undefined) return;
    this.#clusters.delete(text);
    const cluster = await pending.catch(() => undefined);
    if (cluster === undefined) return;
    this.#open.delete(text);
    this.#ports.delete(cluster.listener.port);
    await cluster.dispose();
  }

  async dispose(): Promise<void> {
    await Promise.all([...this.#clusters.keys()].map((text) => this.remove(keyOf(text))));
  }

  async #reserve(key: ObjectKey, wanted: WantedEndpoint): Promise<WorkloadCluster> {
    const listener = await this.#listen(wanted);
    const cluster = new WorkloadCluster({ namespace: key.namespace, name: key.name }, listener, this.#world);
    this.#open.set(textOf(key), cluster);
    this.#ports.set(listener.port, cluster);
    return cluster;
  }

  async #listen({ host = this.#address, port, isBalanced = false }: WantedEndpoint): Promise<Listener> {
    if (port !== undefined && isBalanced && this.#network !== 'none') return Listener.elsewhere(host, port);
    if (port !== undefined) return this.#openPort(host, port);
    const count = this.#range.last - this.#range.first + 1;
    for (let attempt = 0; attempt < count; attempt += 1) {
      const candidate = this.#takeNextPort();
      if (this.#ports.has(candidate)) continue;
      try {
        return await this.#openPort(host, candidate);
      } catch (error) {
        if (!isTaken(error)) throw error;
      }
    }
    throw new PortsExhausted(host, this.#range);
  }

  #openPort(host: string, port: number): Promise<Listener> {
    return this.#network === 'none' ? Promise.resolve(Listener.imaginary(host, port)) : Listener.open(host, port);
  }

  #takeNextPort(): number {
    const port = this.#nextPort;
    this.#nextPort = port >= this.#range.last ? this.#range.first : port + 1;
    return port;
  }
}

function textOf(key: ObjectKey): string {
  return `${key.namespace}/${key.name}`;
}

function keyOf(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
