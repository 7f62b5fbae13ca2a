import { createHash } from 'node:crypto';
import type { Clock, Logger, Random, Timer } from '@slipway/base';
import { isReason, type KubeObject, StatusError } from '@slipway/kube';
import {
  asRemoteCluster,
  ConnectionError,
  type HttpClient,
  InformerFactory,
  type InformerHandler,
  type InformerOptions,
  KubeconfigError,
  type ObjectKey,
  type RemoteClient,
  type RemoteCluster,
  type Resource,
} from '@slipway/runtime';
import { ClusterDisconnected, type DisconnectedReason } from './cluster-disconnected.js';
import type { DueSchedule } from './due-schedule.js';
import type { Gate } from './gate.js';
import type { KubeconfigSource } from './kubeconfig-source.js';

/** A workload cluster as controllers use it: for reads, and as the target of changes. */
export interface WorkloadCluster extends RemoteCluster, Pick<HttpClient, 'getRaw' | 'portForward'> {}

export interface ClusterCacheLimits {
  readonly probeIntervalMs: number;
  readonly probeTimeoutMs: number;
  /** Number of consecutive failed probes after which the connection is closed. */
  readonly failureThreshold: number;
  readonly reconnectFirstMs: number;
  readonly reconnectLastMs: number;
  readonly connectingMax: number;
}

export interface ConnectionDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly kubeconfigs: KubeconfigSource;
  readonly connect: (kubeconfig: string, cluster: ObjectKey) => RemoteClient;
  readonly limits: ClusterCacheLimits;
  readonly schedule: DueSchedule;
  readonly gate: Gate;
  readonly changed: (cluster: ObjectKey, connected: boolean) => void;
}

export interface ClusterHealth {
  readonly connected: boolean;
  /** Wall-clock times in milliseconds. */
  readonly lastProbeAt?: number;
  readonly lastProbeSuccessAt?: number;
  readonly consecutiveFailures: number;
  readonly lastError?: string;
}

export interface ClusterWatch<T extends KubeObject> {
  /** Registering the same name again has no effect. */
  readonly name: string;
  readonly resource: Resource<T>;
  readonly options?: InformerOptions<T>;
  readonly handler: InformerHandler<T>;
}

interface Live {
  readonly client: RemoteClient;
  readonly cluster: WorkloadCluster;
  readonly informers: InformerFactory;
}

/** The connection to one workload cluster: at most one client, which is replaced when it stops responding. */
export class ClusterConnection {
  readonly #dependencies: ConnectionDependencies;
  // Watches of all kinds are in one list. Each was type-checked against its resource when it was added.
  readonly #watches = new Map<string, (informers: InformerFactory) => void>();
  #live: Live | undefined;
  #connecting: Promise<Live> | undefined;
  #next: Timer | undefined;
  #waiting: ClusterDisconnected | undefined;
  #digest: string | undefined;
  #failures = 0;
  #attempts = 0;
  #closed = false;
  #lastProbeAt: number | undefined;
  #lastProbeSuccessAt: number | undefined;
  #lastError: string | undefined;
  /** Number of probes, by result. */
  readonly probes = { succeeded: 0, failed: 0 };

  constructor(
    readonly key: ObjectKey,
    dependencies: ConnectionDependencies,
  ) {
    this.#dependencies = dependencies;
  }

  get cluster(): WorkloadCluster | undefined {
    return this.#live?.cluster;
  }

  health(): ClusterHealth {
    return {
      connected: this.#live !== undefined,
      consecutiveFailures: this.#failures,
      ...(this.#lastProbeAt === undefined ? {} : { lastProbeAt: this.#lastProbeAt }),
      ...(this.#lastProbeSuccessAt === undefined ? {} : { lastProbeSuccessAt: this.#lastProbeSuccessAt }),
      ...(this.#lastError === undefined ? {} : { lastError: this.#lastError }),
    };
  }

  /** Connects if needed. Fails immediately while a failed attempt is in back-off. */
  async use(): Promise<Live> {
    if (this.#live !== undefined) return this.#live;
    if (this.#closed) throw new ClusterDisconnected(this.key, 'Closed', 'the cluster was deleted');
    if (this.#waiting !== undefined && this.#waiting.reason !== 'NoKubeconfig') throw this.#waiting;
    this.#connecting ??= this.#dependencies.gate
      .run(() => this.#connect())
      .finally(() => {
        this.#connecting = undefined;
      });
    return this.#connecting;
  }

  async watch<T extends KubeObject>(watch: ClusterWatch<T>): Promise<void> {
    const known = this.#watches.has(watch.name);
    const begin = (informers: InformerFactory): void =>
      void informers.informer(watch.resource, watch.options).addHandler(watch.handler);
    if (!known) this.#watches.set(watch.name, begin);
    const before = this.#live;
    const { informers } = await this.use();
    // If the connection was opened after the watch was registered, the watch is already started.
    if (!known && before !== undefined) begin(informers);
  }

  /** Compares the kubeconfig with the one in use, because it may have changed or been deleted. */
  async recheck(): Promise<boolean> {
    // A connection attempt in progress may still read the old kubeconfig. Compare when it has ended.
    await this.#connecting?.catch(() => undefined);
    const text = await this.#dependencies.kubeconfigs.read(this.key);
    if (this.#closed) return false;
    if (text === undefined) {
      this.close();
      return false;
    }
    if (digestOf(text) === this.#digest) return true;
    this.#next?.cancel();
    this.#waiting = undefined;
    this.#attempts = 0;
    this.#drop('the kubeconfig has changed');
    // Reconnect, to notify callers that failed before.
    this.#reconnect();
    return true;
  }

  /** Retries now instead of after the back-off. */
  hurry(): void {
    if (this.#closed || this.#live !== undefined || this.#waiting === undefined) return;
    if (this.#waiting.reason === 'NoKubeconfig' || this.#waiting.reason === 'InvalidKubeconfig') return;
    this.#next?.cancel();
    this.#attempts = 0;
    this.#reconnect();
  }

  disconnect(): void {
    this.#next?.cancel();
    this.#waiting = undefined;
    this.#drop('the connection was closed');
  }

  close(): void {
    this.#closed = true;
    this.#watches.clear();
    this.disconnect();
  }

  async #connect(): Promise<Live> {
    let client: RemoteClient | undefined;
    try {
      const text = await this.#dependencies.kubeconfigs.read(this.key);
      if (text === undefined)
        throw new ClusterDisconnected(this.key, 'NoKubeconfig', 'the kubeconfig Secret does not exist yet');
      this.#digest = digestOf(text);
      client = this.#dependencies.connect(text, this.key);
      await this.#ask(client);
    } catch (error) {
      client?.close();
      throw this.#failedToConnect(error);
    }
    if (this.#closed) {
      client.close();
      throw new ClusterDisconnected(this.key, 'Closed', 'the cluster was deleted');
    }
    return this.#connected(client);
  }

  #connected(client: RemoteClient): Live {
    const { clock, random, logger, limits } = this.#dependencies;
    const live = {
      client,
      cluster: this.#handle(client),
      informers: new InformerFactory({ client, clock, random, logger }),
    };
    this.#live = live;
    this.#waiting = undefined;
    this.#attempts = 0;
    for (const begin of this.#watches.values()) begin(live.informers);
    // The first probe is randomized within the interval, so that clusters connected together are not probed together.
    this.#probeAfter(limits.probeIntervalMs * random.next());
    this.#dependencies.changed(this.key, true);
    return live;
  }

  #handle(client: RemoteClient): WorkloadCluster {
    const handle: WorkloadCluster = {
      name: `${this.key.namespace}/${this.key.name}`,
      read: client,
      getRaw: (...given) => client.getRaw(...given),
      portForward: (...given) => client.portForward(...given),
    };
    return asRemoteCluster(handle, client);
  }

  #failedToConnect(error: unknown): ClusterDisconnected {
    const failure = error instanceof ClusterDisconnected ? error : this.#disconnected(error);
    this.#lastError = failure.message;
    if (this.#closed) return failure;
    this.#waiting = failure;
    // A missing or invalid kubeconfig is not retried: a change of its Secret triggers the next attempt.
    if (failure.reason !== 'NoKubeconfig' && failure.reason !== 'InvalidKubeconfig') this.#scheduleReconnect();
    return failure;
  }

  #disconnected(error: unknown): ClusterDisconnected {
    const text = error instanceof Error ? error.message : String(error);
    const reason: DisconnectedReason =
      error instanceof KubeconfigError
        ? 'InvalidKubeconfig'
        : isReason(error, 'Unauthorized')
          ? 'Unauthorized'
          : 'Unreachable';
    return new ClusterDisconnected(this.key, reason, text, { cause: error });
  }

  #scheduleReconnect(): void {
    const { limits, random, schedule } = this.#dependencies;
    const baseMs = Math.min(limits.reconnectFirstMs * 2 ** this.#attempts, limits.reconnectLastMs);
    this.#attempts = Math.min(this.#attempts + 1, 30);
    this.#next = schedule.after(baseMs * (0.75 + random.next() / 2), () => this.#reconnect());
  }

  #reconnect(): void {
    this.#waiting = undefined;
    // `use` records the failure and schedules the next attempt.
    this.use().catch(() => undefined);
  }

  #probeAfter(ms: number): void {
    this.#next = this.#dependencies.schedule.after(ms, () => void this.#probe());
  }

  async #probe(): Promise<void> {
    const live = this.#live;
    if (live === undefined) return;
    let failure: unknown;
    try {
      await this.#ask(live.client);
    } catch (error) {
      failure = error;
    }
    if (this.#live !== live) return;
    if (failure === undefined || !this.#isLost(failure)) {
      const { limits, random } = this.#dependencies;
      this.#probeAfter(limits.probeIntervalMs * (0.95 + random.next() / 10));
      return;
    }
    const lost = this.#disconnected(failure);
    this.#drop(lost.message);
    this.#waiting = lost;
    this.#scheduleReconnect();
  }

  #isLost(failure: unknown): boolean {
    // Rejected credentials close the connection immediately.
    return isReason(failure, 'Unauthorized') || this.#failures >= this.#dependencies.limits.failureThreshold;
  }

  /** Probes the API server. Any response proves that it runs, except server errors and rejected credentials. */
  async #ask(client: RemoteClient): Promise<void> {
    const { clock, limits } = this.#dependencies;
    try {
      await client.getRaw('/', { timeoutMs: limits.probeTimeoutMs });
    } catch (error) {
      if (!isAnswer(error)) {
        this.#lastProbeAt = clock.now();
        this.#failures += 1;
        this.probes.failed += 1;
        this.#lastError = error instanceof Error ? error.message : String(error);
        throw error;
      }
    }
    this.#lastProbeAt = clock.now();
    this.#lastProbeSuccessAt = clock.now();
    this.#failures = 0;
    this.probes.succeeded += 1;
    this.#lastError = undefined;
  }

  #drop(why: string): void {
    const live = this.#live;
    if (live === undefined) return;
    this.#live = undefined;
    this.#next?.cancel();
    live.informers.dispose().catch(() => undefined);
    live.client.close();
    this.#dependencies.logger.info({ Cluster: this.key, reason: why }, 'Disconnected from workload cluster');
    this.#dependencies.changed(this.key, false);
  }
}

function isAnswer(error: unknown): boolean {
  if (!(error instanceof StatusError) || error instanceof ConnectionError) return false;
  return error.code < 500 && error.code !== 401;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
