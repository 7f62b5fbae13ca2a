import { type Clock, type Logger, type Random, sleep } from '@slipway/base';
import { type Frozen, isReason, type KubeObject, StatusError } from '@slipway/kube';
import { ConnectionError, LinkedSignal, type Reader, type Resource, type WatchEvent } from '../client/index.js';
import { collectInitial, type InitialState } from './initial-events.js';
import { IdleGuard } from './idle-guard.js';
import { Restart } from './restart.js';

export interface CollectionScope {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  /** Keeps names, labels, annotations and owners, and leaves the content where it is: for kinds that are large or unknown. */
  readonly metadataOnly?: boolean;
}

export interface ReflectorLimits {
  /** A watch that delivers nothing for this long, not even a bookmark, is taken for dead. Bookmarks come every minute. */
  readonly watchIdleMs: number;
  /** The same while the first state is being sent. */
  readonly syncIdleMs: number;
  readonly listPageSize: number;
}

export const reflectorLimitsDefault: ReflectorLimits = { watchIdleMs: 180_000, syncIdleMs: 60_000, listPageSize: 500 };

export type ObjectEvent<T extends KubeObject> = Exclude<WatchEvent<T>, { type: 'BOOKMARK' | 'ERROR' }>;

/** What a reflector feeds. */
export interface ReflectorTarget<T extends KubeObject> {
  /** The whole state, in place of whatever was known. */
  replace(objects: readonly Frozen<T>[], resourceVersion: string): void;
  apply(events: readonly ObjectEvent<T>[]): void;
  /** Nothing changed up to here. */
  bookmark(resourceVersion: string): void;
  failed(error: Error | undefined): void;
}

export interface ReflectorWorld {
  readonly client: Reader;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/** A watch that ends sooner than this with nothing to say counts as a failure: asking again at once would be a storm. */
const shortWatchMs = 1_000;

/**
 * Keeps a target equal to a collection on the server: the state once, then every change, over as many connections as it
 * takes. It goes on from the last version it knows, and begins anew only when the server no longer has the history.
 */
export class Reflector<T extends KubeObject> {
  readonly #world: ReflectorWorld;
  readonly #resource: Resource<T>;
  readonly #scope: CollectionScope;
  readonly #limits: ReflectorLimits;
  readonly #target: ReflectorTarget<T>;
  readonly #restart: Restart;
  #resourceVersion: string | undefined;
  #streams = true;
  #idleEnds = 0;

  constructor(
    world: ReflectorWorld,
    resource: Resource<T>,
    scope: CollectionScope,
    target: ReflectorTarget<T>,
    limits: ReflectorLimits,
  ) {
    this.#world = world;
    this.#resource = resource;
    this.#scope = scope;
    this.#target = target;
    this.#limits = limits;
    this.#restart = new Restart(world.random);
  }

  /** Runs until the signal is aborted. Nothing that the server does ends it. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const delayMs = await this.#round(signal);
      if (delayMs > 0 && !signal.aborted) {
        // Being told to stop is the one way out of a pause.
        await sleep(this.#world.clock, delayMs, { signal }).catch(() => undefined);
      }
    }
  }

  /** One connection's life. Gives the pause before the next one. */
  async #round(signal: AbortSignal): Promise<number> {
    const startedAt = this.#world.clock.monotonic();
    try {
      const delivered = await this.#follow(signal);
      if (signal.aborted) return 0;
      const short = !delivered && this.#world.clock.monotonic() - startedAt < shortWatchMs;
      return short ? this.#restart.afterFailure() : 0;
    } catch (error) {
      if (signal.aborted) return 0;
      return this.#afterError(error instanceof Error ? error : new Error(String(error)));
    }
  }

  #afterError(error: Error): number {
    if (this.#streams && this.#resourceVersion === undefined && isReason(error, 'Invalid')) {
      this.#streams = false;
      return 0;
    }
    if (isGone(error)) {
      this.#resourceVersion = undefined;
      return this.#restart.afterGone();
    }
    // Whatever serves the resource next may count its versions from elsewhere.
    if (isReason(error, 'NotFound')) this.#resourceVersion = undefined;
    this.#target.failed(error);
    const { group, plural } = this.#resource;
    this.#world.logger.debug({ resource: plural, group, err: error }, 'Watching failed');
    return this.#restart.afterFailure();
  }

  /** True when anything was delivered. */
  async #follow(signal: AbortSignal): Promise<boolean> {
    if (this.#resourceVersion !== undefined) return this.#watch(signal, false);
    if (this.#streams) return this.#watch(signal, true);
    await this.#list(signal);
    return true;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const linked = new LinkedSignal(signal);
    const guard = new IdleGuard(this.#world.clock, this.#limits.syncIdleMs, (error) => linked.abort(error));
    const objects: Frozen<T>[] = [];
    let next: string | undefined;
    let resourceVersion = '';
    try {
      do {
        const page = await this.#world.client.list(this.#resource, {
          ...this.#scope,
          signal: linked.signal,
          limit: this.#limits.listPageSize,
          ...(next === undefined ? {} : { continue: next }),
        });
        guard.touch();
        for (const item of page.items) objects.push(item);
        next = page.continue;
        resourceVersion = page.resourceVersion;
      } while (next !== undefined && next !== '');
    } finally {
      guard.stop();
      linked.release();
    }
    this.#synchronised(objects, resourceVersion);
  }

  async #watch(signal: AbortSignal, initial: boolean): Promise<boolean> {
    const linked = new LinkedSignal(signal);
    const guard = new IdleGuard(
      this.#world.clock,
      initial ? this.#limits.syncIdleMs : this.#limits.watchIdleMs,
      (error) => linked.abort(error),
    );
    let delivered = false;
    try {
      const batches = this.#world.client.watch(this.#resource, {
        ...this.#scope,
        signal: linked.signal,
        // What is known is true again from here on, though nothing may change for a long time.
        ...(initial ? { sendInitialEvents: true } : { onOpen: () => this.#target.failed(undefined) }),
        ...(this.#resourceVersion === undefined ? {} : { resourceVersion: this.#resourceVersion }),
      });
      const state = initial ? collectInitial<T>() : undefined;
      for await (const batch of batches) {
        guard.touch();
        delivered = true;
        const rest = state === undefined ? batch : this.#takeInitial(state, batch, guard);
        if (rest.length > 0) this.#receive(rest);
      }
    } finally {
      guard.stop();
      linked.release();
    }
    if (guard.expired !== undefined && !signal.aborted) this.#afterIdle(guard.expired, delivered);
    if (this.#resourceVersion === undefined && !signal.aborted)
      throw new ConnectionError('reset', 'the streaming list ended before its state was complete');
    return delivered;
  }

  /** What of a batch comes after the initial state. */
  #takeInitial(state: InitialState<T>, batch: readonly WatchEvent<T>[], guard: IdleGuard): readonly WatchEvent<T>[] {
    const rest = state.complete ? batch : state.take(batch);
    if (state.complete && this.#resourceVersion === undefined) {
      this.#synchronised(state.objects(), state.resourceVersion);
      guard.setLimit(this.#limits.watchIdleMs);
    }
    return rest;
  }

  /**
   * Once may be the network: go on from where we were. Twice in a row it is more likely that the server knows nothing of
   * our version, after a restore from a backup, and waits for it: then only the state from anew helps.
   */
  #afterIdle(error: Error, delivered: boolean): never {
    // Servers before 1.27 know nothing of streaming lists and never send the bookmark that would end one.
    if (this.#resourceVersion === undefined) this.#streams = false;
    this.#idleEnds = delivered ? 1 : this.#idleEnds + 1;
    if (this.#idleEnds >= 2) {
      this.#idleEnds = 0;
      this.#resourceVersion = undefined;
    }
    throw error;
  }

  #receive(batch: readonly WatchEvent<T>[]): void {
    if (batch[0]?.type !== 'ERROR') {
      this.#restart.recovered();
      this.#target.failed(undefined);
    }
    let events: ObjectEvent<T>[] = [];
    const flush = (): void => {
      if (events.length > 0) this.#target.apply(events);
      events = [];
    };
    for (const event of batch) {
      if (event.type === 'BOOKMARK') {
        flush();
        this.#resourceVersion = event.resourceVersion;
        this.#target.bookmark(event.resourceVersion);
      } else if (event.type === 'ERROR') {
        flush();
        throw StatusError.fromStatus(event.status);
      } else {
        events.push(event);
      }
    }
    const last = events.at(-1)?.object.metadata.resourceVersion;
    flush();
    if (last !== undefined) this.#resourceVersion = last;
  }

  #synchronised(objects: readonly Frozen<T>[], resourceVersion: string): void {
    this.#target.replace(objects, resourceVersion);
    this.#resourceVersion = resourceVersion;
    this.#idleEnds = 0;
    this.#restart.listed();
    this.#target.failed(undefined);
  }
}

function isGone(error: Error): boolean {
  return error instanceof StatusError && (error.code === 410 || error.reason === 'Expired' || error.reason === 'Gone');
}
