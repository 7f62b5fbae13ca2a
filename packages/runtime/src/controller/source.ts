import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';
import type { IndexFunction } from '../informer/index.js';

/** What a watch saw. It decides which keys to look at; the state itself is read again by the reconcile. */
export interface ObjectChange<T extends KubeObject = KubeObject> {
  readonly type: 'added' | 'updated' | 'deleted';
  readonly object: Frozen<T>;
  /** For updates. */
  readonly previous?: Frozen<T>;
  /** It came with a list or a resync: nothing happened just now. */
  readonly isInitial: boolean;
}

/** A way to find objects by what they hold. The same function wherever the same name is used. */
export interface Index<T extends KubeObject = KubeObject> {
  readonly name: string;
  readonly valuesOf: IndexFunction<T>;
}

/** The objects of one resource as this process knows them, and their changes. Informers are one. */
export interface Source<T extends KubeObject = KubeObject> {
  /** Tells the present objects first, as initial additions, then every change. */
  subscribe(listener: (change: ObjectChange<T>) => void): Disposable;
  get(key: ObjectKey): Frozen<T> | undefined;
  list(): Iterable<Frozen<T>>;
  /** Objects by a value of an index, which is kept from when it is first asked for. */
  byIndex(index: Index<NoInfer<T>> | Index, value: string): readonly Frozen<T>[];
  /** Whether an object of this key would be in it, if there were one. Absent where that is true of all. */
  holds?(key: ObjectKey): boolean;
  /** The version of the collection that it has come to; undefined when it cannot tell. */
  seenVersion?(): string | undefined;
}

/** Where controllers get their sources from: one for each resource, shared by all. */
export interface Sources {
  sourceFor<T extends KubeObject>(resource: Resource<T>): Source<T>;
  /** Begins to fill those that were asked for. */
  start(): void;
  /** Resolves when all of them know the state of the server; rejects when the signal aborts first. */
  synced(signal: AbortSignal): Promise<void>;
  /** The same for one resource, which may be asked for while controllers run. */
  syncedFor(resource: Resource, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}
