import { type Disposable, type Logger, Scope, sleep } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { DryRunEnd } from '../change/index.js';
import type { ObjectKey } from '../client/index.js';
import type { MeasuredObjects } from '../diagnostics/index.js';
import { silentEventRecorder } from '../change/index.js';
import type { Fence } from '../leader-election/index.js';
import { priorityFresh, priorityResync, type QueuedItem, WorkQueue } from '../queue/index.js';
import { done, type Outcome } from './outcome.js';
import { classifyError, type Classified, ReconcileTimeoutError } from './classify-error.js';
import type { ControllerEnvironment, ControllerPlan } from './controller.js';
import type { ControllerMetrics, ReconcileResult } from '../diagnostics/controller-metrics.js';
import { Deadlines } from './deadlines.js';
import { ErrorLog, type KeyError } from './error-log.js';
import { Resync } from './resync.js';
import { type ContextDependencies, RunContext, type RunOwner } from './reconcile-context.js';
import { runReconcile, type Settled } from './reconcile-run.js';
import type { ObjectChange, Source } from './source.js';
import { traced } from './tracing.js';
import { PostponedWrites } from './postponed-writes.js';
import { keyText, parseKey, type Watch } from './watch.js';
import { WriteLedger } from './write-ledger.js';

export interface ControllerDebug {
  readonly name: string;
  readonly active: number;
  readonly queue: readonly QueuedItem[];
  readonly lastErrors: Readonly<Record<string, KeyError>>;
}

/** Number of reconciles after which the event loop gets a turn: reconciles without I/O never yield themselves. */
const runsPerTurnMax = 128;
/** Delay before a key is tried again whose cache has not observed this controller's writes. Upstream's value. */
const staleCacheMs = 100;
/**
 * Used instead of queueMicrotask: Node gives each queueMicrotask call an async context, which costs more than a short reconcile.
 */
const settled = Promise.resolve();

/** A running controller: events add keys to its queue, workers process them. */
export class RunningController implements RunOwner {
  readonly name: string;
  readonly queue: WorkQueue;
  readonly postponed: PostponedWrites;
  readonly #plan: ControllerPlan;
  readonly #environment: ControllerEnvironment;
  readonly #dependencies: ContextDependencies;
  readonly #metrics: ControllerMetrics;
  readonly #errors: ErrorLog;
  readonly #scope = new Scope();
  readonly #source: Source;
  readonly #resync: Resync;
  readonly #ledger: WriteLedger;
  readonly #deadlines: Deadlines;
  /** The configured watches, and those that reconciles added. */
  readonly #watches: Watch[];
  /** Whether the objects of a followed resource are synced, by resource. */
  readonly #followed = new Map<string, boolean>();
  readonly #running = new Set<RunContext>();
  /** Shard keys of deleted objects, until their last reconcile. */
  readonly #deletedShards = new Map<string, string>();
  readonly #lastReconciledMs = new Map<string, number>();
  #pumping = false;
  #runsInTurn = 0;
  #stopping = false;
  #onEnd: (() => void)[] = [];

  constructor(plan: ControllerPlan, environment: ControllerEnvironment) {
    const { clock, random, client, sources, events, changes } = environment;
    this.name = plan.name;
    this.#plan = plan;
    this.#environment = environment;
    const logger: Logger = environment.logger.child({ controller: plan.name });
    this.#metrics = environment.metrics(plan.name, plan.concurrency);
    this.#dependencies = {
      controller: plan.name,
      client,
      sources,
      clock,
      random,
      events: environment.dryRun === true ? silentEventRecorder : events,
      logger,
      changes,
      dryRun: environment.dryRun === true,
      onRecord: ({ object, verb, reason, result }) => {
        if (result === 'ok') this.#metrics.changed(object.kind, verb, reason);
      },
    };
    this.#errors = new ErrorLog(clock);
    const { backOff, queueDepthMax: depthMax } = plan;
    this.queue = new WorkQueue({ clock, random, backOff, depthMax, metrics: this.#metrics.queue });
    this.postponed = new PostponedWrites(clock, (text, afterMs) =>
      this.queue.add(text, { afterMs, priority: this.queue.priorityOf(text) }),
    );
    this.#metrics.attach(this.queue);
    this.queue.listen({ onReady: () => this.#wake(), onDrained: () => this.#resync.enqueue() });
    this.#source = sources.sourceFor(plan.resource);
    this.#deadlines = new Deadlines(clock, plan.timeoutMs);
    this.#ledger = new WriteLedger(sources, plan.watches);
    this.#watches = [...plan.watches];
    this.#resync = new Resync(this.queue, () => this.#allKeys());
    try {
      this.#scope.add(environment.gate.onGained(() => this.#resyncAll()));
      for (const each of plan.watches) this.#scope.add(this.#watch(each));
      for (const trigger of plan.triggers) this.#scope.add(trigger(this.enqueue));
    } catch (error) {
      // Stop everything that was started: if the start fails, the caller gets no controller that it could stop.
      this.stop(0).catch((err: unknown) => logger.warn({ err }, 'Failed to clean up after a failed start'));
      throw error;
    }
  }

  readonly enqueue = (key: ObjectKey): void => {
    if (!this.#stopping) this.#add(key, priorityFresh);
  };

  async follow(watch: Watch, signal: () => AbortSignal): Promise<Source> {
    const { sources } = this.#environment;
    const { resource } = watch;
    const name = `${resource.plural}.${resource.version}.${resource.group}`;
    const source = sources.sourceFor(resource);
    const synced = this.#followed.get(name);
    if (synced === true) return source;
    if (synced === undefined && !this.#stopping) {
      this.#followed.set(name, false);
      this.#watches.push(watch);
      this.#ledger.add(resource);
      this.#scope.add(this.#watch(watch));
    }
    await sources.syncedFor(resource, signal());
    this.#followed.set(name, true);
    return source;
  }

  /** Returns the controller's own objects, for metrics. */
  measured(): MeasuredObjects {
    return {
      resource: this.#plan.resource,
      list: () => this.#source.list(),
      lastReconciledMs: ({ metadata }) =>
        this.#lastReconciledMs.get(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`),
    };
  }

  debug(): ControllerDebug {
    return {
      name: this.name,
      active: this.#running.size,
      queue: this.queue.snapshot(),
      lastErrors: Object.fromEntries(this.#errors.entries()),
    };
  }

  /**
   * Accepts no more keys and lets reconciles in progress finish. Aborts them after the deadline. Returns false if some did not
   * end in time.
   */
  async stop(deadlineMs: number): Promise<boolean> {
    this.#stopping = true;
    await this.#scope.dispose();
    this.queue.close();
    if (this.#running.size === 0) return true;
    const { clock } = this.#environment;
    const idle = this.drained(() => true);
    const late = new AbortController();
    const inTime = sleep(clock, deadlineMs, { signal: late.signal }).then(
      () => false,
      () => true,
    );
    const done = await Promise.race([idle.then(() => true), inTime]);
    late.abort(new Error('stopped'));
    if (!done) for (const context of this.#running) this.#giveUp(context);
    return done;
  }

  /** Resolves when no reconcile with a matching fence is in progress. The caller must make sure that none starts. */
  async drained(matches: (fence: Fence) => boolean): Promise<void> {
    while ([...this.#running].some((context) => matches(context.fence)))
      await new Promise<void>((resolve) => this.#onEnd.push(resolve));
  }

  #giveUp(context: RunContext): void {
    context.abort(new Error('the manager is stopping'));
    context.close();
  }

  #watch(watch: Watch): Disposable {
    const ownResource = watch.resource === this.#plan.resource;
    return this.#environment.sources.sourceFor(watch.resource).subscribe((change) => {
      if (ownResource) this.#rememberShard(change);
      if (watch.filter !== undefined && !this.#passes(watch, change)) return;
      const priority = change.isInitial ? priorityResync : priorityFresh;
      for (const key of this.#keysOf(watch, change.object)) this.#add(key, priority);
      if (change.previous === undefined || ownResource) return;
      for (const key of this.#keysOf(watch, change.previous)) this.#add(key, priority);
    });
  }

  /** Returns the keys that restarted watches would enqueue: the same objects through the same filters. */
  #allKeys(): Iterable<string> {
    const keys = new Set<string>();
    for (const watch of this.#watches) {
      for (const object of this.#environment.sources.sourceFor(watch.resource).list()) {
        if (watch.filter !== undefined && !this.#passes(watch, { type: 'added', object, isInitial: true })) continue;
        for (const key of this.#keysOf(watch, object)) keys.add(keyText(key));
      }
    }
    return keys;
  }

  /**
   * Returns whether an event passes the filter. If the filter throws, the event passes: it must not be lost, and the informer
   * must not stop.
   */
  #passes(watch: Watch, change: ObjectChange): boolean {
    try {
      return watch.filter?.(change) !== false;
    } catch (error) {
      this.#dependencies.logger.error({ err: error, resource: watch.resource.plural }, 'Event filter failed');
      return true;
    }
  }

  #keysOf(watch: Watch, object: Frozen<KubeObject>): Iterable<ObjectKey> {
    try {
      return watch.map(object);
    } catch (error) {
      this.#dependencies.logger.error({ err: error, resource: watch.resource.plural }, 'Mapping function failed');
      return [];
    }
  }

  #rememberShard(change: ObjectChange): void {
    const { shardKeyOf } = this.#environment.gate;
    if (shardKeyOf === undefined) return;
    const { namespace = '', name = '' } = change.object.metadata;
    const text = `${namespace}/${name}`;
    if (change.type === 'deleted') this.#deletedShards.set(text, shardKeyOf(change.object));
    else this.#deletedShards.delete(text);
  }

  #add(key: ObjectKey, priority: number): void {
    if (!this.queue.add(keyText(key), { priority })) this.#resync.request();
  }

  #resyncAll(): void {
    this.#resync.request();
    this.#resync.enqueue();
  }

  /** Starts work in a separate turn of the event loop, after the caller that added the key. */
  #wake(): void {
    if (this.#pumping || this.#stopping) return;
    this.#pumping = true;
    void settled.then(() => this.#pump());
  }

  #pump(): void {
    this.#pumping = false;
    while (!this.#stopping && this.#running.size < this.#plan.concurrency) {
      if (this.#runsInTurn >= runsPerTurnMax) {
        this.#pumping = true;
        this.#environment.clock.setTimer(0, () => {
          this.#runsInTurn = 0;
          this.#pump();
        });
        return;
      }
      const text = this.queue.take();
      if (text === undefined) return;
      this.#runsInTurn += 1;
      this.#begin(text);
    }
  }

  #begin(text: string): void {
    const key = parseKey(text);
    const fence = this.#fenceFor(text, key);
    if (fence === undefined) {
      // Another process is responsible for the key. It is enqueued again when this process becomes responsible.
      this.queue.forget(text);
      this.queue.done(text);
      return;
    }
    const lagging = this.#ledger.aheadOf(text, this.#environment.clock.monotonic());
    if (lagging !== undefined) {
      this.#metrics.waitedForCache(lagging);
      // Retry after a delay. Usually the event of the write arrives earlier and enqueues the key.
      this.queue.add(text, { afterMs: staleCacheMs, priority: this.queue.priorityOf(text) });
      this.queue.done(text);
      return;
    }
    const context = new RunContext(this.#dependencies, this, fence, this.#plan.resource.kind, key);
    this.#running.add(context);
    this.#metrics.active(this.#running.size);
    const startedAt = context.clock.monotonic();
    void runReconcile(context, this.#deadlines, this.#workOf(key, context), () => this.#onTimeout(context)).then(
      (settled) => this.#finish(text, context, startedAt, settled),
    );
  }

  #fenceFor(text: string, key: ObjectKey): Fence | undefined {
    const { gate } = this.#environment;
    if (gate.shardKeyOf === undefined) return gate.fenceFor('');
    const object = this.#source.get(key);
    return gate.fenceFor(object === undefined ? (this.#deletedShards.get(text) ?? text) : gate.shardKeyOf(object));
  }

  #workOf(key: ObjectKey, context: RunContext): () => Promise<Outcome> {
    const { reconcile, resource } = this.#plan;
    const work = (): Promise<Outcome> => {
      // Check before reconciling: a process that resumes after losing the lease has a full queue and stale caches.
      context.check();
      return reconcile(key, context);
    };
    const { tracer } = this.#environment;
    return tracer === undefined ? work : traced(tracer, { controller: this.name, kind: resource.kind, key }, work);
  }

  #onTimeout(context: RunContext): void {
    this.#metrics.timedOut();
    context.logger.warn({ timeoutMs: this.#plan.timeoutMs }, 'Reconcile timed out, cancelling');
  }

  #finish(text: string, context: RunContext, startedAt: number, settled: Settled): void {
    // In a dry run, a reconcile ends at the first external call whose result it needs.
    const ended: Settled = 'thrown' in settled && settled.thrown instanceof DryRunEnd ? { outcome: done() } : settled;
    const result =
      'outcome' in ended
        ? this.#conclude(text, context, ended.outcome)
        : this.#fail(text, context, classifyError(ended.thrown));
    this.#metrics.reconciled(result, (context.clock.monotonic() - startedAt) / 1000);
    if (context.writes.length > 0) this.#ledger.close(text, context.writes, context.clock.monotonic());
    this.#running.delete(context);
    this.#metrics.active(this.#running.size);
    this.queue.done(text);
    if (this.#onEnd.length > 0) for (const notify of this.#onEnd.splice(0)) notify();
    if (this.queue.depth > 0) this.#wake();
    else this.#runsInTurn = 0;
  }

  #conclude(text: string, context: RunContext, outcome: Outcome): ReconcileResult {
    switch (outcome.type) {
      case 'done':
        this.#succeed(text);
        return 'success';
      case 'wait': {
        this.#succeed(text);
        context.logger.debug({ reason: outcome.reason, message: outcome.message, ms: outcome.ms }, 'Waiting');
        if (outcome.ms === undefined) return 'success';
        // Keep the priority: retried keys must not overtake keys that have not been processed yet.
        this.queue.add(text, { afterMs: outcome.ms, priority: this.queue.priorityOf(text) });
        return 'requeue_after';
      }
      case 'retry':
        return this.#fail(text, context, classifyError(outcome.error));
      case 'terminal':
        return this.#fail(text, context, { ...classifyError(outcome.error), verdict: 'terminal' });
    }
  }

  #succeed(text: string): void {
    this.queue.forget(text);
    this.#errors.clear(text);
    if (this.#source.get(parseKey(text)) === undefined) {
      this.#lastReconciledMs.delete(text);
      this.postponed.forget(text);
    } else this.#lastReconciledMs.set(text, this.#environment.clock.now());
    if (this.#deletedShards.size > 0) this.#deletedShards.delete(text);
  }

  #fail(text: string, context: RunContext, failure: Classified): ReconcileResult {
    const { error, verdict } = failure;
    if (verdict === 'fenced') {
      // Not an error of the object. The key is enqueued again if this process is or becomes responsible for it.
      context.logger.debug({ err: error }, 'Reconcile stopped: this process may no longer write');
      this.queue.addRateLimited(text, { priority: this.queue.priorityOf(text) });
      return 'requeue';
    }
    this.#errors.note(text, error, verdict);
    this.#metrics.failed();
    if (failure.isProgrammingError) this.#metrics.panicked();
    if (verdict === 'retry') {
      const afterMs = this.queue.addRateLimited(text, { priority: this.queue.priorityOf(text) });
      const level = failure.isRoutine ? 'debug' : 'error';
      context.logger[level](
        { err: error, afterMs, timedOut: error instanceof ReconcileTimeoutError },
        'Reconcile failed',
      );
      return 'error';
    }
    this.queue.forget(text);
    if (verdict === 'terminal') this.#metrics.failedTerminally();
    context.logger.error({ err: error, verdict }, 'Reconcile failed, retrying when the object changes');
    return 'error';
  }
}
