import { hostname } from 'node:os';
import type { Tracer } from '@opentelemetry/api';
import { type Clock, type Logger, type Random, Scope, sleep } from '@slipway/base';
import { type Frozen, generateUid, type KubeObject } from '@slipway/kube';
import type { Registry } from 'prom-client';
import { ChangeFeed, type EventRecorder, type RemoteCluster } from '../change/index.js';
import { writableClientOf } from '../change/remote-cluster.js';
import type { Client } from '../client/index.js';
import {
  type Controller,
  type Gate,
  gateOf,
  openGate,
  type RunningController,
  type Sources,
} from '../controller/index.js';
import { addObjectMetrics, type EndpointOptions, type HealthCheck, RuntimeMetrics } from '../diagnostics/index.js';
import { ApiEventRecorder, type EventApi } from '../events/index.js';
import { type Fence, LeaderElector, type LeaseTimes, leaseTimesDefault, openFence } from '../leader-election/index.js';
import { ShardElector, type ShardElectorOptions } from '../sharding/index.js';
import { openDiagnostics, type DiagnosticsPorts } from './manager-diagnostics.js';
import { within } from './within.js';

/** A component that the manager starts and stops, such as the webhook server. */
export interface Runnable {
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface ElectionOptions {
  readonly namespace: string;
  readonly name: string;
  /** Identity in the election, which must be unique. Defaults to the host name and a random ID. */
  readonly identity?: string;
  readonly times?: Partial<LeaseTimes>;
}

export interface ManagerOptions {
  /** Source component of the manager's Events. */
  readonly name: string;
  /** Client of the API server that the controllers read and write. For a RemoteCluster, only changes can write. */
  readonly client: Client | RemoteCluster;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly controllers: readonly Controller[];
  readonly webhooks?: Runnable;
  /** Enables leader election: only one of several processes reconciles. */
  readonly leaderElection?: ElectionOptions & { readonly releaseOnStop?: boolean };
  /** Enables sharding: several processes reconcile, each its share of the objects. */
  readonly sharding?: ElectionOptions & Pick<ShardElectorOptions, 'shards' | 'shardKeyOf'>;
  /** Fence to use without leader election. It closes when this process may no longer write. Open by default. */
  readonly fence?: Fence;
  readonly healthAddress?: string;
  /** The response of `/version` on the health endpoint. */
  readonly version?: string;
  readonly metricsAddress?: string;
  readonly metricsAuthorize?: EndpointOptions['authorize'];
  readonly metricsTls?: EndpointOptions['tls'];
  readonly healthChecks?: ReadonlyMap<string, HealthCheck>;
  readonly readyChecks?: ReadonlyMap<string, HealthCheck>;
  readonly cacheSyncTimeoutMs?: number;
  readonly gracefulStopMs?: number;
  readonly eventApi?: EventApi;
  /** The feed to which changes are published. Defaults to a feed of the manager. */
  readonly changes?: ChangeFeed;
  /** Dry run: nothing is written and no external call is made. The change feed shows the next change of each object. */
  readonly dryRun?: boolean;
  readonly tracer?: Tracer;
}

/** Leadership lost: the lease was not renewed in time. The process must exit; caches are rebuilt on restart. */
export class LeadershipLostError extends Error {
  constructor() {
    super('leader election lost');
    this.name = 'LeadershipLostError';
  }
}

const cacheSyncTimeoutMsDefault = 300_000;
const gracefulStopMsDefault = 30_000;
const eventFlushMs = 2_000;

/**
 * Runs controllers. Start order: health and metrics, webhooks, caches, election, controllers. Webhooks start before the
 * caches because the server may need their conversion to serve the lists that fill the caches.
 */
export class Manager {
  readonly identity: string;
  readonly metrics = new RuntimeMetrics();
  readonly changes: ChangeFeed;
  /** Settles when the manager has stopped. Rejects with LeadershipLostError if it lost the lease. */
  readonly done: Promise<void>;
  readonly #options: ManagerOptions;
  readonly #client: Client;
  readonly #scope = new Scope();
  readonly #stopping = new AbortController();
  readonly #elector: LeaderElector | undefined;
  readonly #shards: ShardElector | undefined;
  readonly #events: ApiEventRecorder;
  #running: RunningController[] = [];
  #ports: DiagnosticsPorts = {};
  #election: Promise<unknown> | undefined;
  #synced = false;
  #stopped: Promise<void> | undefined;
  #settle!: { resolve(): void; reject(error: Error): void };

  constructor(options: ManagerOptions) {
    this.#options = options;
    this.#client = 'read' in options.client ? writableClientOf(options.client) : options.client;
    this.changes = options.changes ?? new ChangeFeed();
    if (options.leaderElection !== undefined && options.sharding !== undefined)
      throw new TypeError('leader election and sharding are mutually exclusive');
    const election = options.leaderElection ?? options.sharding;
    this.identity = election?.identity ?? `${hostname()}_${generateUid(options.random)}`;
    this.#elector = this.#createElector();
    this.#shards = this.#createShards();
    this.#events = this.#createEvents();
    this.done = new Promise<void>((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
    // Prevent an unhandled rejection if the caller does not await `done`. The loss of leadership is logged anyway.
    this.done.catch(() => undefined);
  }

  get registry(): Registry {
    return this.metrics.registry;
  }

  /** The addresses of the endpoints, with the actual port where port 0 was requested. */
  get ports(): DiagnosticsPorts {
    return this.#ports;
  }

  get isLeading(): boolean {
    return this.#elector?.isLeader ?? true;
  }

  get events(): EventRecorder {
    return this.#events;
  }

  get shards(): ShardElector | undefined {
    return this.#shards;
  }

  debug(): unknown {
    return {
      name: this.#options.name,
      identity: this.identity,
      synced: this.#synced,
      leading: this.isLeading,
      ...(this.#shards === undefined ? {} : { shards: this.#shards.status() }),
      eventsDropped: this.#events.dropped,
      controllers: this.#running.map((controller) => controller.debug()),
    };
  }

  /** Resolves when the controllers run or, with an election, when the election has started. */
  async start(): Promise<void> {
    const { sources, webhooks, controllers, clock } = this.#options;
    try {
      this.#ports = await openDiagnostics(this.#scope, this.#options, {
        registry: this.registry,
        debug: () => this.debug(),
        changes: this.changes,
        ready: () => this.#checkReady(),
      });
      if (webhooks !== undefined) {
        await webhooks.start();
        this.#scope.defer(() => webhooks.stop());
      }
      for (const controller of controllers) for (const { resource } of controller.watches) sources.sourceFor(resource);
      this.#scope.defer(() => sources.stop());
      sources.start();
      const limitMs = this.#options.cacheSyncTimeoutMs ?? cacheSyncTimeoutMsDefault;
      await within(
        clock,
        limitMs,
        'timed out waiting for caches to sync',
        (signal) => sources.synced(signal),
        this.#stopping.signal,
      );
      this.#synced = true;
      this.#elect();
    } catch (error) {
      await this.#shutDown(error instanceof Error ? error : new Error(String(error)));
      throw error;
    }
  }

  /** Stops gracefully: reconciles in progress may finish until the deadline, then the lease is released. */
  async stop(): Promise<void> {
    this.#stopping.abort(new Error('the manager is stopping'));
    await this.#election;
    await this.#shutDown(undefined);
  }

  #elect(): void {
    const { signal } = this.#stopping;
    const { fence } = this.#options;
    if (this.#elector !== undefined) {
      const { lock } = this.#elector;
      const lead = (): void => {
        this.#startControllers(gateOf(lock));
        this.#recordLeaderEvent(lock.lease);
      };
      this.#election = this.#elector
        .run(signal, { lead, stopped: () => this.#stopControllers() })
        .then((end) => this.#onElectionEnd(end));
    } else if (this.#shards !== undefined) {
      this.#startControllers(this.#shards);
      this.#election = this.#shards.run(signal);
    } else this.#startControllers(fence === undefined ? openGate : gateOf(fence));
  }

  /** Records the LeaderElection event with upstream's wording. */
  #recordLeaderEvent(lease: Frozen<KubeObject> | undefined): void {
    const message = `${this.identity} became leader`;
    if (lease !== undefined) this.#events.record(lease, { type: 'Normal', reason: 'LeaderElection', message });
  }

  async #onElectionEnd(end: 'stopped' | 'lost'): Promise<void> {
    this.metrics.leading(this.#options.leaderElection?.name ?? '', false);
    if (end === 'lost') await this.#shutDown(new LeadershipLostError());
  }

  #startControllers(gate: Gate): void {
    const { sources, clock, random, logger, tracer, dryRun, controllers } = this.#options;
    const client = this.#client;
    this.metrics.leading(this.#options.leaderElection?.name ?? '', true);
    const metrics = this.metrics.forController.bind(this.metrics);
    const { changes } = this;
    const events = this.#events;
    const shared = { client, sources, clock, random, logger, events, changes, gate, metrics };
    const environment = { ...shared, ...(tracer && { tracer }), ...(dryRun && { dryRun }) };
    this.#running = controllers.map((controller) => controller.start(environment));
    for (const controller of this.#running) addObjectMetrics(this.registry, controller.measured());
    logger.info({ controllers: controllers.map(({ name }) => name) }, 'Controllers started');
  }

  async #stopControllers(): Promise<void> {
    const deadlineMs = this.isLeading ? (this.#options.gracefulStopMs ?? gracefulStopMsDefault) : 0;
    const ends = await Promise.all(this.#running.map((controller) => controller.stop(deadlineMs)));
    if (ends.includes(false))
      this.#options.logger.warn({ deadlineMs }, 'Some reconciles did not finish before the deadline');
    this.#running = [];
    // Write the recorded Events while the lease is held, but do not wait for a server that does not respond.
    await Promise.race([this.#events.flush(), sleep(this.#options.clock, eventFlushMs)]);
  }

  #shutDown(error: Error | undefined): Promise<void> {
    this.#stopped ??= (async () => {
      this.#stopping.abort(error ?? new Error('the manager is stopping'));
      await this.#stopControllers();
      await this.#scope.dispose();
      if (error === undefined) this.#settle.resolve();
      else this.#settle.reject(error);
    })();
    return this.#stopped;
  }

  #checkReady(): void {
    // Do not check the caches: they may need this process's conversion webhook, which receives requests only once the process is
    // ready.
    if (this.#stopping.signal.aborted) throw new Error('stopping');
  }

  #createElector(): LeaderElector | undefined {
    const election = this.#options.leaderElection;
    if (election === undefined) return undefined;
    const { clock, random, logger } = this.#options;
    const client = this.#client;
    return new LeaderElector({
      client,
      clock,
      random,
      logger,
      identity: this.identity,
      key: { namespace: election.namespace, name: election.name },
      times: { ...leaseTimesDefault, ...election.times },
      releaseOnStop: election.releaseOnStop ?? true,
    });
  }

  #createShards(): ShardElector | undefined {
    const sharding = this.#options.sharding;
    if (sharding === undefined) return undefined;
    const { clock, random, logger } = this.#options;
    const client = this.#client;
    const { namespace, name, shards, shardKeyOf } = sharding;
    const times = { ...leaseTimesDefault, ...sharding.times };
    const elector = new ShardElector({
      client,
      clock,
      random,
      logger,
      identity: this.identity,
      namespace,
      name,
      shards,
      shardKeyOf,
      times,
    });
    elector.drainWith(async (fence) => {
      await Promise.all(this.#running.map((controller) => controller.drained((other) => other === fence)));
    });
    return elector;
  }

  #createEvents(): ApiEventRecorder {
    const { clock, logger, eventApi, name } = this.#options;
    const client = this.#client;
    const fence: Fence = this.#elector?.lock ?? this.#options.fence ?? openFence;
    const reporter = { controller: name, instance: this.identity };
    const { changes } = this;
    return new ApiEventRecorder({ client, fence, changes, clock, logger, api: eventApi, ...reporter });
  }
}

export function createManager(options: ManagerOptions): Manager {
  return new Manager(options);
}
