import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';
import type { IndexFunction } from '../informer/index.js';

/** An event of a watch. It only determines which keys to enqueue: the reconcile reads the state itself. */
export interface ObjectChange<T extends KubeObject = KubeObject> {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly object: Frozen<T>;
  /** The previous state. Set for updates. */
  readonly previous?: Frozen<T>;
  /** Whether the event comes from a list or a resync: the object did not just change. */
  readonly isInitial: boolean;
}

/** An index over objects. The same name must always use the same function. */
export interface Index<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly valuesOf: IndexFunction<T>;
}

/** The cached objects of one resource, and their events. Informers implement it. */
export interface Source<T extends KubeObject = KubeObject> {
  /** Delivers existing objects first, as initial additions, then every change. */
  subscribe(listener: (change: ObjectChange<T>) => void): Disposable;
  get(key: ObjectKey): Frozen<T> | undefined;
  list(): Iterable<Frozen<T>>;
  /** Returns objects by index value. The index is created on first use. */
  byIndex(index: Index<NoInfer<T>> | Index, value: string): readonly Frozen<T>[];
  /** Returns whether the cache covers this key. Absent if the cache covers all keys. */
  holds?(key: ObjectKey): boolean;
  /** The resourceVersion that the cache has reached. Undefined if unknown. */
  seenVersion?(): string | undefined;
}

/** Creates sources: one for each resource, shared by all controllers. */
export interface Sources {
  sourceFor<T extends KubeObject>(resource: Resource<T>): Source<T>;
  /** Starts the requested sources. */
  start(): void;
  /** Resolves when all sources are synced. Rejects if the signal aborts first. */
  synced(signal: AbortSignal): Promise<void>;
  /** Resolves when the source of one resource is synced. The resource may have been requested while controllers run. */
  syncedFor(resource: Resource, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}
