import type { Frozen, KubeObject } from '@slipway/kube';

/** A revision of the store, strictly increasing across all resources. Clients see it as resourceVersion. */
export type Revision = number;

/** Key of an object: its collection (`configmaps`, `cluster.x-k8s.io/clusters`), namespace and name. */
export interface StorageKey {
  readonly resource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

/** One durable version of an object. All readers share it: it is deep-frozen and encoded at most once. */
export interface StoredObject {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** The object at its storage version, with metadata.resourceVersion set to `revision`. */
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
  /** The state after the change. For DELETED, the last state with the revision of the deletion. */
  readonly current: StoredObject;
  /** The state before the change; absent for ADDED. */
  readonly previous?: StoredObject;
}

export interface Commit {
  readonly key: StorageKey;
  /**
   * The revision that the caller read, or 0 if the object must not exist. If the stored revision differs, the write fails with
   * RevisionMismatch.
   */
  readonly expected: Revision;
  /** The new state, or undefined to delete. The store takes ownership: it sets resourceVersion and freezes the object. */
  readonly object: KubeObject | undefined;
  /** Called with the written version, just before it becomes visible to readers. */
  readonly publishing?: ((stored: StoredObject) => void) | undefined;
}

export interface ListRange {
  readonly resource: string;
  /** Undefined for all namespaces. */
  readonly namespace?: string;
  /** The key at which the previous page ended: only objects strictly after it in list order are returned. */
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
  /** The revision up to which events are compacted. Later events are still available. */
  readonly compactedRevision: Revision;
  get(key: StorageKey): StoredObject | undefined;
  /**
   * Lists objects, sorted by upstream's key `namespace/name` as one string: namespace `a-b` sorts before `a`. The array is
   * shared: do not change it.
   */
  list(range: ListRange): readonly StoredObject[];
  /** Lists objects as of `revision`, rebuilt from history. Throws Compacted. */
  listAt(range: ListRange, revision: Revision): readonly StoredObject[];
  count(resource: string): number;
  /**
   * Writes or deletes an object. Resolves when the write is durable and visible. A deletion resolves to the last state with the
   * revision of the deletion.
   */
  commit(change: Commit): Promise<StoredObject>;
  /** Rejects while writes fail to commit, for example on a full disk. Writes nothing unless the last write failed. */
  checkWritable?(): Promise<void>;
  /** Resolves when `revision` (or a later one) is visible, or rejects when the signal fires. */
  waitFor(revision: Revision, signal: AbortSignal): Promise<void>;
  /**
   * Calls `listener` for every event after `from`: first for past events, then synchronously on publication, always in order.
   * Throws Compacted. `namespace` and `name` filter events at no cost to writes of other keys.
   */
  watch(
    range: { readonly resource: string; readonly namespace?: string; readonly name?: string },
    from: Revision,
    listener: (event: StoreEvent) => void,
  ): StoreWatch;
  close(): Promise<void>;
}
