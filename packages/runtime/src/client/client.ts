import type { Frozen, JsonObject, KubeObject, Status } from '@slipway/kube';
import type { Resource } from './resource.js';

/** Namespace and name of an object. The namespace is '' for cluster-scoped objects. */
export interface ObjectKey {
  readonly namespace: string;
  readonly name: string;
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
}

export interface WriteOptions extends RequestOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  /** Subresource to write: `status`, `scale`, `approval` and so on. '' or absent for the object itself. */
  readonly subresource?: string;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  readonly force?: boolean;
}

export interface DeleteOptions extends RequestOptions {
  readonly propagationPolicy?: 'Foreground' | 'Background' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
}

export interface ListOptions extends RequestOptions {
  /** Namespace to list; '' or absent for all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly limit?: number;
  readonly continue?: string;
  /**
   * Whether to request only apiVersion, kind and metadata. An in-process client returns the whole shared object anyway, which
   * costs nothing.
   */
  readonly metadataOnly?: boolean;
}

export interface ObjectList<T> {
  readonly items: readonly Frozen<T>[];
  readonly resourceVersion: string;
  readonly continue?: string;
}

export interface WatchOptions extends RequestOptions {
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  /** Whether to request a streaming list: the initial state, a bookmark that marks its end, then changes. */
  readonly sendInitialEvents?: boolean;
  /** Called when the server has accepted the watch. The first event may arrive much later. */
  readonly onOpen?: () => void;
  /** Whether to request only apiVersion, kind and metadata, as for lists. */
  readonly metadataOnly?: boolean;
}

export type WatchEvent<T> =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly object: Frozen<T> }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: Status };

export type PatchBody =
  | { readonly type: 'merge'; readonly patch: JsonObject }
  | { readonly type: 'json'; readonly patch: readonly JsonObject[] };

/** Read-only API access. Returned objects are deep-frozen and shared. Every failure is a StatusError. */
export interface Reader {
  /** Whether returned objects are the server's own objects: caching them costs nothing, and copying them would cost memory. */
  readonly sharesObjects?: boolean;
  get<T extends KubeObject>(resource: Resource<T>, key: ObjectKey, options?: RequestOptions): Promise<Frozen<T>>;
  list<T extends KubeObject>(resource: Resource<T>, options?: ListOptions): Promise<ObjectList<T>>;
  /** Reads a subresource: `scale` (a Scale), `status` (the object). */
  getSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    options?: RequestOptions,
  ): Promise<JsonObject>;
  /** Yields batches of events. Ends when the server ends the watch or the signal aborts. */
  watch<T extends KubeObject>(resource: Resource<T>, options?: WatchOptions): AsyncIterable<readonly WatchEvent<T>[]>;
  /** Returns the resource that serves a kind, like a RESTMapper. Undefined if no resource serves it. */
  resourceFor(groupKind: {
    readonly group: string;
    readonly kind: string;
    readonly version?: string;
  }): Promise<Resource | undefined>;
}

/**
 * Full API access. There are two implementations: in-process on the embedded server, where objects are the stored ones, and
 * HTTPS. The client takes ownership of objects passed to it. Controllers do not hold a Client: they read through a Reader and
 * write by passing a Change to the executor.
 */
export interface Client extends Reader {
  create<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Frozen<T>>;
  update<T extends KubeObject>(resource: Resource<T>, object: T, options?: WriteOptions): Promise<Frozen<T>>;
  patch<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    body: PatchBody,
    options?: WriteOptions,
  ): Promise<Frozen<T>>;
  /** Applies a configuration by server-side apply. */
  apply<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    configuration: JsonObject,
    options: ApplyOptions,
  ): Promise<Frozen<T>>;
  /**
   * Deletes an object. Returns the object while finalizers or a grace period retain it, and undefined once it is deleted. Throws
   * NotFound if it does not exist.
   */
  delete<T extends KubeObject>(
    resource: Resource<T>,
    key: ObjectKey,
    options?: DeleteOptions,
  ): Promise<Frozen<T> | undefined>;
  deleteAll<T extends KubeObject>(resource: Resource<T>, list: ListOptions, options?: DeleteOptions): Promise<void>;
  /** Sends a POST to a create-only subresource, such as serviceaccounts/token or pods/eviction. */
  createSubresource(
    resource: Resource,
    key: ObjectKey,
    subresource: string,
    body: JsonObject,
    options?: WriteOptions,
  ): Promise<JsonObject>;
}
