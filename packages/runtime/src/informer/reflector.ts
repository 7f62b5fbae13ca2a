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
  /** Whether to cache only metadata, for kinds that are large or unknown. */
  readonly metadataOnly?: boolean;
}

export interface ReflectorLimits {
  /** A watch is considered dead if it receives no event for this long, not even a bookmark. Bookmarks arrive every minute. */
  readonly watchIdleMs: number;
  /** The same limit during the initial list. */
  readonly syncIdleMs: number;
  readonly listPageSize: number;
}

export const reflectorLimitsDefault: ReflectorLimits = { watchIdleMs: 180_000, syncIdleMs: 60_000, listPageSize: 500 };

export type ObjectEvent<T extends KubeObject> = Exclude<WatchEvent<T>, { type: 'BOOKMARK' | 'ERROR' }>;

/** The consumer of the objects and events of a reflector. */
export interface ReflectorTarget<T extends KubeObject> {
  /** Replaces the whole state. */
  replace(objects: readonly Frozen<T>[], resourceVersion: string): void;
  apply(events: readonly ObjectEvent<T>[]): void;
  /** Reports that nothing changed up to this resourceVersion. */
  bookmark(resourceVersion: string): void;
  failed(error: Error | undefined): void;
}

export interface ReflectorDependencies {
  readonly client: Reader;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}

/**
 * A watch that ends sooner than this without an event counts as a failure: reconnecting immediately would overload the
 * server.
 */
const shortWatchMs = 1_000;

/**
 * Keeps a target in sync with a collection on the server: lists once, then follows every change over any number of connections.
 * It resumes from the last known resourceVersion, and relists only when the server has compacted the history.
 */
export class Reflector<T extends KubeObject> {
  readonly #dependencies: ReflectorDependencies;
  readonly #resource: Resource<T>;
  readonly #scope: CollectionScope;
  readonly #limits: ReflectorLimits;
  readonly #target: ReflectorTarget<T>;
  readonly #restart: Restart;
  #resourceVersion: string | undefined;
  #streams = true;
  #idleEnds = 0;

  constructor(
    dependencies: ReflectorDependencies,
    resource: Resource<T>,
    scope: CollectionScope,
    target: ReflectorTarget<T>,
    limits: ReflectorLimits,
  ) {
    this.#dependencies = dependencies;
    this.#resource = resource;
    this.#scope = scope;
    this.#target = target;
    this.#limits = limits;
    this.#restart = new Restart(dependencies.random);
  }

  /** Runs until the signal is aborted. No server error ends it. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const delayMs = await this.#round(signal);
      if (delayMs > 0 && !signal.aborted) {
        // The sleep rejects only when the signal aborts, which ends the loop.
        await sleep(this.#dependencies.clock, delayMs, { signal }).catch(() => undefined);
      }
    }
  }

  /** Follows the collection over one connection. Returns the back-off before the next connection. */
  async #round(signal: AbortSignal): Promise<number> {
    const startedAt = this.#dependencies.clock.monotonic();
    try {
      const delivered = await this.#follow(signal);
      if (signal.aborted) return 0;
      const short = !delivered && this.#dependencies.clock.monotonic() - startedAt < shortWatchMs;
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
    // The resource may be served again by another server, with unrelated resourceVersions.
    if (isReason(error, 'NotFound')) this.#resourceVersion = undefined;
    this.#target.failed(error);
    const { group, plural } = this.#resource;
    this.#dependencies.logger.debug({ resource: plural, group, err: error }, 'Watching failed');
    return this.#restart.afterFailure();
  }

  /** Returns true if any event was delivered. */
  async #follow(signal: AbortSignal): Promise<boolean> {
    if (this.#resourceVersion !== undefined) return this.#watch(signal, false);
    if (this.#streams) return this.#watch(signal, true);
    await this.#list(signal);
    return true;
  }

  async #list(signal: AbortSignal): Promise<void> {
    const linked = new LinkedSignal(signal);
    const guard = new IdleGuard(this.#dependencies.clock, this.#limits.syncIdleMs, (error) => linked.abort(error));
    const objects: Frozen<T>[] = [];
    let next: string | undefined;
    let resourceVersion = '';
    try {
      do {
        const page = await this.#dependencies.client.list(this.#resource, {
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
      this.#dependencies.clock,
      initial ? this.#limits.syncIdleMs : this.#limits.watchIdleMs,
      (error) => linked.abort(error),
    );
    let delivered = false;
    try {
      const batches = this.#dependencies.client.watch(this.#resource, {
        ...this.#scope,
        signal: linked.signal,
        // The watch is open, so that the cache is current again, even if no event arrives for a long time.
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

  /** Returns the events of a batch after the initial state. */
  #takeInitial(state: InitialState<T>, batch: readonly WatchEvent<T>[], guard: IdleGuard): readonly WatchEvent<T>[] {
    const rest = state.complete ? batch : state.take(batch);
    if (state.complete && this.#resourceVersion === undefined) {
      this.#synchronised(state.objects(), state.resourceVersion);
      guard.setLimit(this.#limits.watchIdleMs);
    }
    return rest;
  }

  /**
   * Handles a watch without events. After one idle timeout, resumes from the last resourceVersion, because the network may have
   * been the cause. After two in a row, lists again: a server that was restored from a backup does not know this resourceVersion
   * yet and waits until it reaches it.
   */
  #afterIdle(error: Error, delivered: boolean): never {
    // Servers before 1.27 do not support streaming lists and never send the bookmark that ends one.
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
