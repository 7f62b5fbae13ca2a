import { type Clock, type Disposable, type Logger, type Random, silentLogger } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import { createHttpClient, type ObjectKey, type RateLimit, type Resource } from '../client/index.js';
import type { Informer, InformerOptions } from '../informer/index.js';
import { connectionOf, parseKubeconfig } from '../kubeconfig/index.js';
import {
  ClusterConnection,
  type ClusterCacheLimits,
  type ClusterHealth,
  type ClusterWatch,
  type ConnectionWorld,
  type WorkloadClient,
  type WorkloadCluster,
} from './cluster-connection.js';
import { DueSchedule } from './due-schedule.js';
import { Gate } from './gate.js';
import type { KubeconfigSource } from './kubeconfig-source.js';

export interface ClusterCacheOptions {
  readonly kubeconfigs: KubeconfigSource;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  readonly userAgent?: string;
  readonly limits?: Partial<ClusterCacheLimits>;
  /** Of requests to one cluster. */
  readonly rateLimit?: RateLimit;
  /** Instead of HTTPS by the kubeconfig, which is left for those that it gives no client for: clusters in our own process. */
  readonly connect?: (kubeconfig: string, cluster: ObjectKey) => WorkloadClient | undefined;
}

export type ClusterListener = (cluster: ObjectKey, connected: boolean) => void;

const limitsDefault: ClusterCacheLimits = {
  probeIntervalMs: 10_000,
  probeTimeoutMs: 5_000,
  failureThreshold: 5,
  reconnectFirstMs: 2_000,
  reconnectLastMs: 120_000,
  connectingMax: 64,
};
const requestTimeoutMs = 10_000;

/** The only way to workload clusters: one client each, connected when first asked for, shared, probed and replaced. */
export class ClusterCache implements Disposable {
  readonly #connections = new Map<string, ClusterConnection>();
  readonly #listeners = new Set<ClusterListener>();
  readonly #schedule: DueSchedule;
  readonly #world: ConnectionWorld;
  readonly #source: Disposable;

  constructor(options: ClusterCacheOptions) {
    const { clock, random, kubeconfigs, logger = silentLogger } = options;
    const limits = { ...limitsDefault, ...options.limits };
    const overHttps = httpsConnector(options);
    this.#schedule = new DueSchedule(clock);
    this.#world = {
      clock,
      random,
      logger,
      kubeconfigs,
      limits,
      schedule: this.#schedule,
      gate: new Gate(limits.connectingMax),
      connect: (kubeconfig, cluster) => options.connect?.(kubeconfig, cluster) ?? overHttps(kubeconfig),
      changed: (cluster, connected) => {
        for (const listener of this.#listeners) this.#tell(listener, cluster, connected);
      },
    };
    this.#source = kubeconfigs.onChange((cluster) => this.#kubeconfigChanged(cluster));
  }

  /** A cluster, connected. Throws ClusterDisconnected. */
  async cluster(key: ObjectKey): Promise<WorkloadCluster> {
    return (await this.#connection(key).use()).cluster;
  }

  /** The cluster if it is connected at this moment; never connects. */
  connectedCluster(key: ObjectKey): WorkloadCluster | undefined {
    return this.#connections.get(keyText(key))?.cluster;
  }

  /** The client of a cluster, connected. Throws ClusterDisconnected. */
  async client(cluster: ObjectKey): Promise<WorkloadClient> {
    return (await this.#connection(cluster).use()).client;
  }

  /** An informer on the cluster, shared by all who ask. It ends with the connection: do not keep it, ask again. */
  async informer<T extends KubeObject>(
    cluster: ObjectKey,
    resource: Resource<T>,
    options?: InformerOptions<T>,
  ): Promise<Informer<T>> {
    return (await this.#connection(cluster).use()).informers.informer(resource, options);
  }

  /** Watches until the cluster is forgotten, on every connection that it will have. */
  watch<T extends KubeObject>(cluster: ObjectKey, watch: ClusterWatch<T>): Promise<void> {
    return this.#connection(cluster).watch(watch);
  }

  health(cluster: ObjectKey): ClusterHealth {
    return this.#connections.get(keyText(cluster))?.health() ?? { connected: false, consecutiveFailures: 0 };
  }

  /** Every cluster that somebody asked for, for who measures. */
  connections(): Iterable<Pick<ClusterConnection, 'key' | 'health' | 'probes'>> {
    return this.#connections.values();
  }

  /** Told whenever a cluster is connected or lost, so that its controllers look again. */
  onChange(listener: ClusterListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Something happened that may have brought a lost cluster back: the next attempt to connect is made now. */
  hurry(cluster: ObjectKey): void {
    this.#connections.get(keyText(cluster))?.hurry();
  }

  /** Ends the connection; the next who asks makes another. */
  disconnect(cluster: ObjectKey): void {
    this.#connections.get(keyText(cluster))?.disconnect();
  }

  /** The cluster is deleted: everything about it goes. */
  forget(cluster: ObjectKey): void {
    this.#connections.get(keyText(cluster))?.close();
    this.#connections.delete(keyText(cluster));
  }

  get size(): number {
    return this.#connections.size;
  }

  async dispose(): Promise<void> {
    await this.#source.dispose();
    for (const connection of this.#connections.values()) connection.close();
    this.#connections.clear();
    this.#schedule.clear();
  }

  /** A listener that throws is its owner's mistake, and must not cost the connection. */
  #tell(listener: ClusterListener, cluster: ObjectKey, connected: boolean): void {
    try {
      listener(cluster, connected);
    } catch (error) {
      this.#world.logger.error({ Cluster: cluster, err: error }, 'Listener to workload clusters failed');
    }
  }

  #connection(cluster: ObjectKey): ClusterConnection {
    const text = keyText(cluster);
    let connection = this.#connections.get(text);
    if (connection === undefined) {
      connection = new ClusterConnection({ namespace: cluster.namespace, name: cluster.name }, this.#world);
      this.#connections.set(text, connection);
    }
    return connection;
  }

  #kubeconfigChanged(cluster: ObjectKey): void {
    const connection = this.#connections.get(keyText(cluster));
    if (connection === undefined) return;
    connection.recheck().then(
      (kept) => {
        if (!kept && this.#connections.get(keyText(cluster)) === connection) this.#connections.delete(keyText(cluster));
      },
      (error: unknown) => this.#world.logger.warn({ Cluster: cluster, err: error }, 'Reading the kubeconfig failed'),
    );
  }
}

function keyText(cluster: ObjectKey): string {
  return `${cluster.namespace}/${cluster.name}`;
}

function httpsConnector(options: ClusterCacheOptions): (kubeconfig: string) => WorkloadClient {
  const { clock, random, userAgent = 'slipway', rateLimit } = options;
  return (kubeconfig) =>
    createHttpClient(connectionOf(parseKubeconfig(kubeconfig), { inlineOnly: true }), {
      clock,
      random,
      userAgent,
      requestTimeoutMs,
      ...(rateLimit && { rateLimit }),
    });
}
