import { type Clock, type Disposable, type Logger, type Random, silentLogger } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import {
  connectionOf,
  type ConnectRemote,
  createHttpClient,
  type Informer,
  type InformerOptions,
  type ObjectKey,
  parseKubeconfig,
  type RateLimit,
  type RemoteClient,
  type Resource,
} from '@slipway/runtime';
import {
  ClusterConnection,
  type ClusterCacheLimits,
  type ClusterHealth,
  type ClusterWatch,
  type ConnectionDependencies,
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
  /** Rate limit of requests to one cluster. */
  readonly rateLimit?: RateLimit;
  /** Creates clients for clusters in this process. If it returns no client, HTTPS with the kubeconfig is used. */
  readonly connect?: ConnectRemote;
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

/**
 * The only access to workload clusters. Each has one client that is connected on first use, shared, probed, and replaced when it
 * fails.
 */
export class ClusterCache implements Disposable {
  readonly #connections = new Map<string, ClusterConnection>();
  readonly #listeners = new Set<ClusterListener>();
  readonly #schedule: DueSchedule;
  readonly #dependencies: ConnectionDependencies;
  readonly #source: Disposable;

  constructor(options: ClusterCacheOptions) {
    const { clock, random, kubeconfigs, logger = silentLogger } = options;
    const limits = { ...limitsDefault, ...options.limits };
    const overHttps = httpsConnector(options);
    this.#schedule = new DueSchedule(clock);
    this.#dependencies = {
      clock,
      random,
      logger,
      kubeconfigs,
      limits,
      schedule: this.#schedule,
      gate: new Gate(limits.connectingMax),
      connect: (kubeconfig, cluster) => options.connect?.(kubeconfig, cluster) ?? overHttps(kubeconfig),
      changed: (cluster, connected) => {
        for (const listener of this.#listeners) this.#notify(listener, cluster, connected);
      },
    };
    this.#source = kubeconfigs.onChange((cluster) => this.#kubeconfigChanged(cluster));
  }

  /** Returns the connected cluster. Throws ClusterDisconnected. */
  async cluster(key: ObjectKey): Promise<WorkloadCluster> {
    return (await this.#connection(key).use()).cluster;
  }

  /** Returns the cluster if it is connected now. Never connects. */
  connectedCluster(key: ObjectKey): WorkloadCluster | undefined {
    return this.#connections.get(keyText(key))?.cluster;
  }

  /** Returns a shared informer on the cluster. It stops with the connection, so request it again for every use. */
  async informer<T extends KubeObject>(
    cluster: ObjectKey,
    resource: Resource<T>,
    options?: InformerOptions<T>,
  ): Promise<Informer<T>> {
    return (await this.#connection(cluster).use()).informers.informer(resource, options);
  }

  /** Watches on every connection until the cluster is removed. */
  watch<T extends KubeObject>(cluster: ObjectKey, watch: ClusterWatch<T>): Promise<void> {
    return this.#connection(cluster).watch(watch);
  }

  health(cluster: ObjectKey): ClusterHealth {
    return this.#connections.get(keyText(cluster))?.health() ?? { connected: false, consecutiveFailures: 0 };
  }

  /** Returns all requested clusters, for metrics. */
  connections(): Iterable<Pick<ClusterConnection, 'key' | 'health' | 'probes'>> {
    return this.#connections.values();
  }

  /** Registers a listener for clusters that are connected or disconnected, so that controllers reconcile. */
  onChange(listener: ClusterListener): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Retries the connection now, because a disconnected cluster may be reachable again. */
  hurry(cluster: ObjectKey): void {
    this.#connections.get(keyText(cluster))?.hurry();
  }

  /** Closes the connection. The next request opens a new one. */
  disconnect(cluster: ObjectKey): void {
    this.#connections.get(keyText(cluster))?.disconnect();
  }

  /** Removes all state of a deleted cluster. */
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

  /** Calls a listener. An exception in it must not break the connection. */
  #notify(listener: ClusterListener, cluster: ObjectKey, connected: boolean): void {
    try {
      listener(cluster, connected);
    } catch (error) {
      this.#dependencies.logger.error({ Cluster: cluster, err: error }, 'Workload cluster listener failed');
    }
  }

  #connection(cluster: ObjectKey): ClusterConnection {
    const text = keyText(cluster);
    let connection = this.#connections.get(text);
    if (connection === undefined) {
      connection = new ClusterConnection({ namespace: cluster.namespace, name: cluster.name }, this.#dependencies);
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
      (error: unknown) =>
        this.#dependencies.logger.warn({ Cluster: cluster, err: error }, 'Failed to read the kubeconfig'),
    );
  }
}

function keyText(cluster: ObjectKey): string {
  return `${cluster.namespace}/${cluster.name}`;
}

function httpsConnector(options: ClusterCacheOptions): (kubeconfig: string) => RemoteClient {
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
