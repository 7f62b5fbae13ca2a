import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';

export interface InformerHandler<T extends KubeObject> {
  /**
   * Called for a new object. `initial` is true for objects that existed when the handler was added or the informer started: they
   * are less urgent than changes.
   */
  added?(object: Frozen<T>, context: { readonly initial: boolean }): void;
  /** Called for a changed object. A resync passes the same object as old and new. */
  updated?(object: Frozen<T>, previous: Frozen<T>): void;
  /** Called with the last observed state. After a lost connection it may be older than the final state. */
  deleted?(object: Frozen<T>): void;
}

/** Returns the index values of an object. */
export type IndexFunction<T extends KubeObject> = (object: Frozen<T>) => readonly string[];

/** Reads the cache of an informer. Never sends a request or copies an object. */
export interface InformerView<T extends KubeObject> {
  get(key: ObjectKey): Frozen<T> | undefined;
  /** Returns the cached objects in no particular order. */
  list(namespace?: string): readonly Frozen<T>[];
  byIndex(name: string, value: string): readonly Frozen<T>[];
  readonly size: number;
}

export interface InformerStatus {
  readonly synced: boolean;
  readonly resourceVersion: string | undefined;
  /** The error of the watch. Undefined while the watch works. */
  readonly lastError: Error | undefined;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** A live cache of a collection, shared by all callers. */
export interface Informer<T extends KubeObject = KubeObject> extends InformerView<T> {
  readonly resource: Resource<T>;
  readonly synced: boolean;
  status(): InformerStatus;
  /** Resolves when the initial state is cached and every handler has seen it. */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Adds a handler. The handler receives the existing objects before this call returns. */
  addHandler(handler: InformerHandler<T>): Disposable;
  /** Adds an index at any time. Idempotent for the same (name, fn). Throws if the name is bound to another function. */
  addIndex(name: string, index: IndexFunction<T>): void;
  /** Resolves with the first truthy result of `check`, which is called now and after every change. */
  waitFor<R>(
    check: (view: InformerView<T>) => R | undefined | false | null,
    options?: WaitOptions,
  ): Promise<NonNullable<R>>;
}
