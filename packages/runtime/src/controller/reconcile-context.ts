import type { Clock, Logger, Random } from '@slipway/base';
import { ChangeExecutor, type ChangeFeed, type ChangeRecord, type WriteResult, type Writer } from '../change/index.js';
import { type Client, LinkedSignal, type ObjectKey, type Reader } from '../client/index.js';
import type { EventRecorder } from '../change/index.js';
import { type Fence, FencedError } from '../leader-election/index.js';
import type { Source, Sources } from './source.js';
import type { PostponedWrites } from './postponed-writes.js';
import { keyText, type Watch } from './watch.js';

/**
 * The context of a reconcile. A reconcile reads through `read` and `sources`, and writes only by `change` and `changeAll`. Both
 * fail once this process may no longer write, and once the reconcile has ended.
 */
export interface ReconcileContext extends Writer {
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventRecorder;
  /** Aborted on timeout, on loss of leadership and when the stop deadline passes. */
  readonly signal: AbortSignal;
  /**
   * Throws if this process may no longer act. Call it right before any effect outside the client: after a suspension another
   * process may have become the leader, before the signal of this process is aborted.
   */
  check(): void;
  /**
   * Watches a resource that was not known when the controller was created, such as a provider kind, until the controller stops.
   * Idempotent for each resource. Resolves with the source once its objects are synced.
   */
  follow(watch: Watch): Promise<Source>;
  /** Enqueues a key of this controller. Callbacks may call it after the reconcile has ended. */
  readonly enqueue: (key: ObjectKey) => void;
}

/** The methods of a controller that a reconcile calls. */
export interface RunOwner {
  follow(watch: Watch, signal: () => AbortSignal): Promise<Source>;
  readonly enqueue: (key: ObjectKey) => void;
  readonly postponed: PostponedWrites;
}

/** Dependencies of all contexts of one controller. */
export interface ContextDependencies {
  readonly controller: string;
  readonly client: Client;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventRecorder;
  readonly changes: ChangeFeed;
  readonly dryRun: boolean;
  readonly onRecord: (record: ChangeRecord) => void;
}

/** The context of one reconcile. Expensive members are created on first use: most reconciles change nothing. */
export class RunContext implements ReconcileContext, Fence {
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: EventRecorder;
  readonly #dependencies: ContextDependencies;
  /** The fence for the writes of this reconcile. */
  readonly fence: Fence;
  readonly #key: ObjectKey;
  readonly #kind: string;
  readonly #owner: RunOwner;
  /** The writes made through this context. */
  readonly writes: WriteResult[] = [];
  #executor: ChangeExecutor | undefined;
  #logger: Logger | undefined;
  #linked: LinkedSignal | undefined;
  #hasEnded = false;

  constructor(dependencies: ContextDependencies, owner: RunOwner, fence: Fence, kind: string, key: ObjectKey) {
    this.sources = dependencies.sources;
    this.clock = dependencies.clock;
    this.random = dependencies.random;
    this.events = dependencies.events;
    this.#dependencies = dependencies;
    this.#owner = owner;
    this.fence = fence;
    this.#kind = kind;
    this.#key = key;
  }

  get enqueue(): (key: ObjectKey) => void {
    return this.#owner.enqueue;
  }

  follow(watch: Watch): Promise<Source> {
    return this.#owner.follow(watch, () => this.signal);
  }

  get read(): Reader {
    return this.#dependencies.client;
  }

  get change(): Writer['change'] {
    const executor = this.#execute();
    return executor.change.bind(executor) as Writer['change'];
  }

  get changeAll(): Writer['changeAll'] {
    const executor = this.#execute();
    return executor.changeAll.bind(executor);
  }

  get preview(): Writer['preview'] {
    const executor = this.#execute();
    return executor.preview.bind(executor);
  }

  get logger(): Logger {
    this.#logger ??= this.#dependencies.logger.child({ [this.#kind]: this.#key });
    return this.#logger;
  }

  get signal(): AbortSignal {
    return this.#link().signal;
  }

  check(): void {
    if (this.#hasEnded) throw new FencedError('the reconcile has ended');
    this.fence.check();
  }

  /** Aborts the signal of the reconcile. */
  abort(reason: Error): void {
    this.#link().abort(reason);
  }

  /** Rejects further writes through this context, also from a reconcile that ignores the signal. */
  close(): void {
    this.#hasEnded = true;
    this.#linked?.release();
  }

  #execute(): ChangeExecutor {
    const { controller, client, clock, events, changes: feed, dryRun, onRecord } = this.#dependencies;
    this.#executor ??= new ChangeExecutor({
      controller,
      client,
      clock,
      events,
      feed,
      dryRun,
      onRecord,
      reconciled: { kind: this.#kind, ...this.#key },
      logger: this.logger,
      fence: this,
      signal: this.signal,
      onWritten: (result) => this.#written(result),
      ...(dryRun
        ? {}
        : {
            postpone: (resource, key) =>
              this.#isOwn(resource.kind, key) && this.#owner.postponed.postpone(keyText(key)),
          }),
    });
    return this.#executor;
  }

  #written(result: WriteResult): void {
    this.writes.push(result);
    if (this.#isOwn(result.resource.kind, result.key)) this.#owner.postponed.forget(keyText(result.key));
  }

  /** Whether the object is the reconciled one. If so, its next reconcile makes a postponed write. */
  #isOwn(kind: string, key: ObjectKey): boolean {
    return kind === this.#kind && key.name === this.#key.name && key.namespace === this.#key.namespace;
  }

  #link(): LinkedSignal {
    this.#linked ??= new LinkedSignal(this.fence.signal);
    return this.#linked;
  }
}
