import type { Frozen, KubeObject } from '@slipway/kube';

/** Strictly growing over the whole store; what clients see as resourceVersion. */
export type Revision = number;

/** Where an object lives: the collection (`configmaps`, `cluster.x-k8s.io/clusters`) and its place in it. */
export interface StorageKey {
  readonly resource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** One durable version of an object. Shared by every reader: deep-frozen, encoded at most once. */
export interface StoredObject {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** At the version it was stored in, with metadata.resourceVersion set to `revision`. */
  readonly object: Frozen<KubeObject>;
  /** Those of `object`, at hand even where the object would have to be parsed first. */
  readonly labels: Frozen<KubeObject>['metadata']['labels'];
  /**
   * `object` as JSON without a trailing newline, starting with `{"kind":…,"apiVersion":…,` so that responses are
   * assembled from stored bytes and never serialised again.
   */
  readonly bytes: Buffer;
  /** False only when the text certainly stands nowhere in the object. Never parses: a quick look at what lies on disk. */
  mayContain(text: string): boolean;
}

export interface StoreEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly revision: Revision;
  /** The state after the change; for DELETED the last state, carrying the revision of the deletion. */
  readonly current: StoredObject;
  /** The state before the change; absent for ADDED. */
  readonly previous?: StoredObject;
}

export interface Commit {
  readonly key: StorageKey;
  /** The revision the caller read, or 0 for 'must not exist'. Anything else fails with RevisionMismatch. */
  readonly expected: Revision;
  /** The new state, or undefined to delete. The store takes ownership: it sets resourceVersion and freezes it. */
  readonly object: KubeObject | undefined;
  /** Called with what was written, just before anybody else sees it. */
  readonly publishing?: ((stored: StoredObject) => void) | undefined;
}

export interface ListRange {
  readonly resource: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** Objects strictly after this place, in the order of lists: where the previous page ended. */
  readonly after?: { readonly namespace: string; readonly name: string };
}

export interface StoreWatch {
  dispose(): void;
}

/**
 * What the API server knows of storage. Reads are synchronous from memory and see exactly the acknowledged writes; a write
 * is visible to anybody only once it is durable.
 */
export interface Store {
  /** The revision of the newest visible write. */
  readonly revision: Revision;
  /** Events after this revision are still available. */
  readonly compactedRevision: Revision;
  get(key: StorageKey): StoredObject | undefined;
  /** In the order of upstream's keys, `namespace/name` as one text: namespace `a-b` comes before `a`. Shared: not to be changed. */
  list(range: ListRange): readonly StoredObject[];
  /** The same as of `revision`, rebuilt from history. Throws Compacted. */
  listAt(range: ListRange, revision: Revision): readonly StoredObject[];
  count(resource: string): number;
  /** Resolves when durable and visible. For a deletion the last state, carrying the revision of the deletion. */
  commit(change: Commit): Promise<StoredObject>;
  /** Resolves when `revision` (or a later one) is visible, or rejects when the signal fires. */
  waitFor(revision: Revision, signal: AbortSignal): Promise<void>;
  /**
   * Calls `listener` for every event after `from`, in order, history first, synchronously on publication. Throws
   * Compacted. `namespace` and `name` narrow the events without cost to writers elsewhere.
   */
  watch(
    range: { readonly resource: string; readonly namespace?: string; readonly name?: string },
    from: Revision,
    listener: (event: StoreEvent) => void,
  ): StoreWatch;
  close(): Promise<void>;
}
