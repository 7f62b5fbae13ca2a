import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';

export interface InformerHandler<T extends KubeObject> {
  /** `initial` for the state that is there when the handler or the informer starts: less urgent than what just changed. */
  added?(object: Frozen<T>, context: { readonly initial: boolean }): void;
  /** A resync says that nothing changed by giving the same object twice. */
  updated?(object: Frozen<T>, previous: Frozen<T>): void;
  /** With the last state that was seen, which after a lost connection may not be the very last one. */
  deleted?(object: Frozen<T>): void;
}

/** The values under which an index lists an object. */
export type IndexFunction<T extends KubeObject> = (object: Frozen<T>) => readonly string[];

/** Reads of what an informer knows: never a request, never a copy. */
export interface InformerView<T extends KubeObject> {
  get(key: ObjectKey): Frozen<T> | undefined;
  /** In no particular order. */
  list(namespace?: string): readonly Frozen<T>[];
  byIndex(name: string, value: string): readonly Frozen<T>[];
  readonly size: number;
}

export interface InformerStatus {
  readonly synced: boolean;
  readonly resourceVersion: string | undefined;
  /** The failure since which nothing has come in; undefined while all is well. */
  readonly lastError: Error | undefined;
}

export interface WaitOptions {
  readonly signal?: AbortSignal;
}

/** A live copy of a collection, shared by all who ask for the same one. */
export interface Informer<T extends KubeObject = KubeObject> extends InformerView<T> {
  readonly resource: Resource<T>;
  readonly synced: boolean;
  status(): InformerStatus;
  /** Resolves once the state as of the start is here, and every handler has seen it. */
  whenSynced(options?: WaitOptions): Promise<void>;
  /** Objects that are there already are reported at once, before this returns. */
  addHandler(handler: InformerHandler<T>): Disposable;
  /** At any time; the same name and function twice is no mistake, another function under a taken name is. */
  addIndex(name: string, index: IndexFunction<T>): void;
  /** The first truthy answer of `check`, which is asked now and after every change. */
  waitFor<R>(
    check: (view: InformerView<T>) => R | undefined | false | null,
    options?: WaitOptions,
  ): Promise<NonNullable<R>>;
}
