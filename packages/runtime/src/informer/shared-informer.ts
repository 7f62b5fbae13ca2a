import type { Disposable, Timer } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';
import type {
  IndexFunction,
  Informer,
  InformerHandler,
  InformerStatus,
  InformerView,
  WaitOptions,
} from './informer.js';
import { ObjectCache } from './object-cache.js';
import {
  type CollectionScope,
  type ObjectEvent,
  Reflector,
  type ReflectorLimits,
  type ReflectorTarget,
  type ReflectorDependencies,
} from './reflector.js';
import { isOlderVersion } from './resource-version.js';

export type Transform<T extends KubeObject> = (object: Frozen<T>) => Frozen<T>;

export interface SharedInformerOptions<T extends KubeObject> {
  readonly scope: CollectionScope;
  readonly limits: ReflectorLimits;
  readonly transform?: Transform<T>;
  readonly resyncMs?: number;
}

/** A cache with its reflector and handlers. Events are handled in the order in which the server sent them. */
export class SharedInformer<T extends KubeObject> implements Informer<T>, ReflectorTarget<T>, Disposable {
  readonly #dependencies: ReflectorDependencies;
  readonly #options: SharedInformerOptions<T>;
  readonly #cache = new ObjectCache<T>();
  readonly #handlers = new Set<InformerHandler<T>>();
  readonly #waiters = new Set<() => void>();
  readonly #stopper = new AbortController();
  #synced = false;
  #resourceVersion: string | undefined;
  #lastError: Error | undefined;
  #resyncTimer: Timer | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    dependencies: ReflectorDependencies,
    readonly resource: Resource<T>,
    options: SharedInformerOptions<T>,
  ) {
    this.#dependencies = dependencies;
    this.#options = options;
  }

  start(): void {
    const { scope, limits, resyncMs } = this.#options;
    this.#running = new Reflector(this.#dependencies, this.resource, scope, this, limits).run(this.#stopper.signal);
    if (resyncMs !== undefined && resyncMs > 0) this.#scheduleResync(resyncMs);
  }

  async dispose(): Promise<void> {
    this.#resyncTimer?.cancel();
    this.#stopper.abort(new Error(`the informer of ${this.resource.plural} has stopped`));
    this.#wakeWaiters();
    await this.#running;
  }

  get synced(): boolean {
    return this.#synced;
  }

  get size(): number {
    return this.#cache.size;
  }

  status(): InformerStatus {
    return { synced: this.#synced, resourceVersion: this.#resourceVersion, lastError: this.#lastError };
  }

  get(key: ObjectKey): Frozen<T> | undefined {
    return this.#cache.get(key);
  }

  list(namespace?: string): readonly Frozen<T>[] {
    return this.#cache.list(namespace);
  }

  byIndex(name: string, value: string): readonly Frozen<T>[] {
    return this.#cache.byIndex(name, value);
  }

  addIndex(name: string, index: IndexFunction<T>): void {
    this.#cache.addIndex(name, index);
  }

  addHandler(handler: InformerHandler<T>): Disposable {
    this.#handlers.add(handler);
    if (this.#synced) {
      for (const object of this.#cache.list()) this.#call(handler, (one) => one.added?.(object, { initial: true }));
    }
    return { dispose: () => void this.#handlers.delete(handler) };
  }

  async whenSynced(options: WaitOptions = {}): Promise<void> {
    await this.#until(() => this.#synced, options);
  }

  waitFor<R>(
    check: (view: InformerView<T>) => R | undefined | false | null,
    options: WaitOptions = {},
  ): Promise<NonNullable<R>> {
    return this.#until(() => (this.#synced ? check(this.#cache) : undefined), options);
  }

  replace(objects: readonly Frozen<T>[], resourceVersion: string): void {
    const initial = !this.#synced;
    const gone = new Set(this.#cache.list());
    for (const listed of objects) {
      const cached = this.#cache.counterpart(listed);
      if (cached !== undefined) gone.delete(cached);
      this.#take(listed, cached, initial);
    }
    for (const object of gone) this.#drop(object);
    this.#resourceVersion = resourceVersion;
    this.#synced = true;
    this.#wakeWaiters();
  }

  apply(events: readonly ObjectEvent<T>[]): void {
    for (const event of events) {
      const { resourceVersion } = event.object.metadata;
      const cached = this.#cache.counterpart(event.object);
      if (event.type === 'DELETED') {
        if (cached !== undefined && !isOlderVersion(resourceVersion, cached.metadata.resourceVersion))
          this.#drop(cached, event.object);
      } else if (!this.#isStale(resourceVersion, cached)) {
        this.#take(event.object, cached, false);
      }
      if (!isOlderVersion(resourceVersion, this.#resourceVersion)) this.#resourceVersion = resourceVersion;
    }
    this.#wakeWaiters();
  }

  bookmark(resourceVersion: string): void {
    if (!isOlderVersion(resourceVersion, this.#resourceVersion)) this.#resourceVersion = resourceVersion;
  }

  failed(error: Error | undefined): void {
    this.#lastError = error;
  }

  /**
   * Returns whether the event, or a later event of the object, was already handled. For an object that is not cached,
   * an event older than the cache is stale: the object has been deleted since.
   */
  #isStale(resourceVersion: string | undefined, cached: Frozen<T> | undefined): boolean {
    if (cached !== undefined) return isOlderVersion(resourceVersion, cached.metadata.resourceVersion);
    return isOlderVersion(resourceVersion, this.#resourceVersion);
  }

  #take(received: Frozen<T>, cached: Frozen<T> | undefined, initial: boolean): void {
    const object = this.#options.transform === undefined ? received : this.#options.transform(received);
    this.#cache.set(object);
    if (cached === undefined) {
      this.#notify((handler) => handler.added?.(object, { initial }));
    } else if (cached.metadata.uid !== object.metadata.uid) {
      // A new object with the same name: report the deletion of the old one first, for handlers that count objects.
      this.#notify((handler) => handler.deleted?.(cached));
      this.#notify((handler) => handler.added?.(object, { initial }));
    } else if (cached.metadata.resourceVersion !== object.metadata.resourceVersion) {
      this.#notify((handler) => handler.updated?.(object, cached));
    }
  }

  #drop(cached: Frozen<T>, last: Frozen<T> = cached): void {
    const object = last === cached || this.#options.transform === undefined ? last : this.#options.transform(last);
    this.#cache.remove(cached);
    this.#notify((handler) => handler.deleted?.(object));
  }

  #notify(call: (handler: InformerHandler<T>) => void): void {
    for (const handler of this.#handlers) this.#call(handler, call);
  }

  /** Calls a handler. An exception of one handler must not prevent the others from receiving the event. */
  #call(handler: InformerHandler<T>, call: (handler: InformerHandler<T>) => void): void {
    try {
      call(handler);
    } catch (error) {
      this.#dependencies.logger.error({ resource: this.resource.plural, err: error }, 'Informer handler failed');
    }
  }

  #until<R>(check: () => R | undefined | false | null, options: WaitOptions): Promise<NonNullable<R>> {
    const { signal } = options;
    return new Promise((resolve, reject) => {
      const settle = (done: () => void): void => {
        this.#waiters.delete(attempt);
        signal?.removeEventListener('abort', attempt);
        done();
      };
      const attempt = (): void => {
        const ended = signal?.aborted === true ? signal : this.#stopper.signal;
        if (ended.aborted) return settle(() => reject(ended.reason as Error));
        try {
          const answer = check();
          if (answer) settle(() => resolve(answer));
        } catch (error) {
          settle(() => reject(error as Error));
        }
      };
      this.#waiters.add(attempt);
      signal?.addEventListener('abort', attempt, { once: true });
      attempt();
    });
  }

  #wakeWaiters(): void {
    for (const waiter of this.#waiters) waiter();
  }

  #scheduleResync(resyncMs: number): void {
    this.#resyncTimer = this.#dependencies.clock.setTimer(resyncMs, () => {
      for (const object of this.#cache.list()) this.#notify((handler) => handler.updated?.(object, object));
      this.#scheduleResync(resyncMs);
    });
  }
}
