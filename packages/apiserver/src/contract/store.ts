import type { Frozen, KubeObject } from '@slipway/kube';

/** Strictly increasing across the whole store; clients see it as resourceVersion. */
export type Revision = number;

/** Key of an object: its collection (`configmaps`, `cluster.x-k8s.io/clusters`), namespace and name. */
export interface StorageKey {
  readonly resource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** One durable version of an object. Shared by all readers: deep-frozen, encoded at most once. */
export interface StoredObject {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** At its storage version, with metadata.resourceVersion set to `revision`. */
  readonly object: Frozen<KubeObject>;
  /** Labels of `object`, available without parsing it. */
  readonly labels: Frozen<KubeObject>['metadata']['labels'];
  /**
   * `object` as JSON without a trailing newline, starting with `{"kind":…,"apiVersion":…,` so that responses are
   * assembled from stored bytes and never serialised again.
   */
  readonly bytes: Buffer;
  /** False only if the object certainly does not contain the text. Searches the stored bytes without parsing them. */
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
  /** The new state, or undefined to delete. The store takes ownership: it sets resourceVersion and freezes the object. */
  readonly object: KubeObject | undefined;
  /** Called with the written version, just before it becomes visible to readers. */
  readonly publishing?: ((stored: StoredObject) => void) | undefined;
}

export interface ListRange {
  readonly resource: string;
  /** Absent: all namespaces. */
  readonly namespace?: string;
  /** Returns only objects strictly after this key in list order: where the previous page ended. */
  readonly after?: { readonly namespace: string; readonly name: string };
}

export interface StoreWatch {
  dispose(): void;
}

/**
 * The storage interface of the API server. Reads are synchronous, from memory, and see exactly the acknowledged writes. A
 * write becomes visible only once it is durable.
 */
export interface Store {
  /** The revision of the newest visible write. */
  readonly revision: Revision;
  /** Events after this revision are still available. */
  readonly compactedRevision: Revision;
  get(key: StorageKey): StoredObject | undefined;
  /** Sorted by upstream's key `namespace/name` as one string: namespace `a-b` sorts before `a`. The array is shared: do not change it. */
  list(range: ListRange): readonly StoredObject[];
  /** The list as of `revision`, rebuilt from history. Throws Compacted. */
  listAt(range: ListRange, revision: Revision): readonly StoredObject[];
  count(resource: string): number;
  /** Resolves when the write is durable and visible. A deletion resolves to the last state with the revision of the deletion. */
  commit(change: Commit): Promise<StoredObject>;
  /** Rejects while writes fail to commit, for example on a full disk. Writes nothing unless the last write failed. */
  checkWritable?(): Promise<void>;
  /** Resolves when `revision` (or a later one) is visible, or rejects when the signal fires. */
  waitFor(revision: Revision, signal: AbortSignal): Promise<void>;
  /**
   * Calls `listener` for every event after `from`, in order, history first, synchronously on publication. Throws
   * Compacted. `namespace` and `name` filter the events at no cost to writes of other keys.
   */
  watch(
    range: { readonly resource: string; readonly namespace?: string; readonly name?: string },
    from: Revision,
    listener: (event: StoreEvent) => void,
  ): StoreWatch;
  close(): Promise<void>;
}
