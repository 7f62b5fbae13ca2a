import type { Clock, Logger, Random } from '@slipway/base';
import { ChangeExecutor, type ChangeFeed, type ChangeRecord, type WriteResult, type Writer } from '../change/index.js';
import { type Client, LinkedSignal, type ObjectKey, type Reader } from '../client/index.js';
import type { EventRecorder } from '../events/index.js';
import { type Fence, FencedError } from '../leader-election/index.js';
import type { Source, Sources } from './source.js';
import type { Watch } from './watch.js';

/**
 * What a reconcile gets. It reads through `read` and `sources` and writes only by `change` and `changeAll`, which are refused
 * once this process may not act any more and once the reconcile has ended.
 */
export interface ReconcileContext extends Writer {
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly events: EventRecorder;
  /** Aborted on timeout, on loss of the leadership and when a stop does not wait any longer. */
  readonly signal: AbortSignal;
  /**
   * Throws when this process may not act any more. To be asked right before anything is done to the world past the client:
   * a process that stood still while another took over finds out here, before its signal tells.
   */
  check(): void;
  /**
   * Watches a resource that was not known when the controller was made, such as a provider's, for as long as the controller
   * runs. Once for each resource, however often it is asked for. Resolves with its objects once they are known.
   */
  follow(watch: Watch): Promise<Source>;
  /** Looks at a key of this controller soon. Works after the run has ended, too: for callbacks. */
  readonly enqueue: (key: ObjectKey) => void;
}

/** What a run asks of the controller that runs it. */
export interface RunOwner {
  follow(watch: Watch, signal: () => AbortSignal): Promise<Source>;
  readonly enqueue: (key: ObjectKey) => void;
}

/** What the contexts of one controller are built from. */
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

/** The context of one run. What costs something is made when it is first asked for: most runs change nothing. */
export class RunContext implements ReconcileContext, Fence {
  readonly sources: Sources;
  readonly clock: Clock;
  readonly random: Random;
  readonly events: EventRecorder;
  readonly #dependencies: ContextDependencies;
  /** The fence that this run writes under. */
  readonly fence: Fence;
  readonly #key: ObjectKey;
  readonly #kind: string;
  readonly #owner: RunOwner;
  /** What was written through this context. */
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

  changeAll: Writer['changeAll'] = (changes, options) => this.#execute().changeAll(changes, options);

  preview: Writer['preview'] = (apply) => this.#execute().preview(apply);

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

  /** Asks the run to end. */
  abort(reason: Error): void {
    this.#link().abort(reason);
  }

  /** Nothing can be written through this context any more, not even by a run that does not listen. */
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
      onWritten: (result) => void this.writes.push(result),
    });
    return this.#executor;
  }

  #link(): LinkedSignal {
    this.#linked ??= new LinkedSignal(this.fence.signal);
    return this.#linked;
  }
}
