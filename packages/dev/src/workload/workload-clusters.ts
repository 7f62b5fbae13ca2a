import { type Clock, type Disposable, type Logger, type Random, silentLogger } from '@slipway/base';
import { KeyPool, type KeySource, type PrivateKey } from '@slipway/pki';
import type { ObjectKey } from '@slipway/runtime';
import { isTaken, Listener, type PortRange, PortsExhausted } from './listener.js';
import { WorkloadCluster, type WorkloadDependencies } from './workload-cluster.js';
import { WorkloadTemplates } from './workload-templates.js';

export interface WorkloadClustersOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  readonly keys?: KeySource;
  /** With 'none', clusters are reachable only in process, and no port is opened. */
  readonly network?: 'loopback' | 'none';
  readonly ports?: PortRange;
  /** The default host of the clusters' endpoints. */
  readonly address?: string;
  /**
   * The local address on which all ports are opened. Defaults to the host of each endpoint. In a Pod, endpoints have the name of a
   * Service, so that they stay valid when the Pod is replaced.
   */
  readonly bindAddress?: string;
}

export interface Endpoint {
  readonly host?: string;
  readonly port?: number;
}

/** An endpoint to reserve for a cluster. */
export interface RequestedEndpoint extends Endpoint {
  /** Whether the endpoint belongs to a load balancer that forwards each connection to a machine. */
  readonly isBalanced?: boolean;
}

const addressDefault = '127.0.0.1';
/** Upstream's port range. It is below the ephemeral ports, so that a port is still free after a restart. */
const portsDefault: PortRange = { first: 20_000, last: 30_000 };

/** All simulated clusters of this process, by namespace and name of the Cluster. */
export class WorkloadClusters implements Disposable {
  readonly #clusters = new Map<string, Promise<WorkloadCluster>>();
  readonly #open = new Map<string, WorkloadCluster>();
  readonly #ports = new Map<number, WorkloadCluster>();
  readonly #dependencies: WorkloadDependencies;
  readonly #range: PortRange;
  readonly #network: 'loopback' | 'none';
  readonly #address: string;
  readonly #bindAddress: string | undefined;
  #nextPort: number;

  constructor(options: WorkloadClustersOptions) {
    const { clock, random, logger = silentLogger, keys = new KeyPool() } = options;
    let servingKey: Promise<PrivateKey> | undefined;
    this.#dependencies = {
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
    this.#bindAddress = options.bindAddress;
    // Start at a random port: another instance on this host must not take our ports during a restart.
    const { first, last } = this.#range;
    this.#nextPort = first + Math.floor(random.next() * (last - first + 1));
  }

  get(key: ObjectKey): WorkloadCluster | undefined {
    return this.#open.get(formatKey(key));
  }

  /** Returns the cluster with a port of this host. */
  at(port: number): WorkloadCluster | undefined {
    return this.#ports.get(port);
  }

  get size(): number {
    return this.#open.size;
  }

  /** Returns the cluster. If it does not exist, creates it with the requested port or the next free one. */
  async ensure(key: ObjectKey, requested: RequestedEndpoint = {}): Promise<WorkloadCluster> {
    const text = formatKey(key);
    let cluster = this.#clusters.get(text);
    if (cluster === undefined) {
      cluster = this.#reserve(key, requested);
      this.#clusters.set(text, cluster);
      cluster.catch(() => this.#clusters.delete(text));
    }
    return cluster;
  }

  async remove(key: ObjectKey): Promise<void> {
    const text = formatKey(key);
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

  async #reserve(key: ObjectKey, requested: RequestedEndpoint): Promise<WorkloadCluster> {
    const listener = await this.#listen(requested);
    const cluster = new WorkloadCluster({ namespace: key.namespace, name: key.name }, listener, this.#dependencies);
    this.#open.set(formatKey(key), cluster);
    this.#ports.set(listener.port, cluster);
    return cluster;
  }

  async #listen({ host = this.#address, port, isBalanced = false }: RequestedEndpoint): Promise<Listener> {
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
    if (this.#network === 'none') return Promise.resolve(Listener.imaginary(host, port));
    return Listener.open(host, port, this.#bindAddress);
  }

  #takeNextPort(): number {
    const port = this.#nextPort;
    this.#nextPort = port >= this.#range.last ? this.#range.first : port + 1;
    return port;
  }
}

function formatKey(key: ObjectKey): string {
  return `${key.namespace}/${key.name}`;
}

function keyOf(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
