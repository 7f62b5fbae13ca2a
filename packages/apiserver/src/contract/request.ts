import type { Frozen, JsonObject, KubeObject, MutableJsonObject } from '@slipway/kube';
import type { UserInfo } from './auth.js';
import type { StoredObject } from './store.js';
import type { ResourceDefinition, ResourceVersionDefinition } from './resource.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';
export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** Who asks, and where warnings go. Authentication and authorization are done. */
export interface Caller {
  readonly user: UserInfo;
  /** The User-Agent, which names the field manager when the request does not. */
  readonly userAgent: string;
  readonly signal: AbortSignal;
  warn(text: string): void;
  /** False for those of our own process who read none: what would only be said to them is not looked for. */
  readonly takesWarnings?: boolean;
  /** Checks a further verb that the request turns out to need; throws 403. Absent for callers who may do anything. */
  requireVerb?(verb: string): void;
}

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: FieldValidation;
  /** Apply only. */
  readonly force?: boolean;
}

export interface DeleteOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** A decoded body, with what strict decoding has to say about its text. */
export interface DecodedBody {
  readonly value: MutableJsonObject;
  /** Paths of keys that stood twice in one object. */
  readonly duplicateKeys: readonly string[];
}

export interface ListOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly limit?: number;
  readonly continue?: string;
}

export interface WatchOptions {
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: string;
  readonly sendInitialEvents?: boolean;
  readonly allowBookmarks?: boolean;
  /** When the transport will end the stream: a last bookmark shortly before spares the client a replay. */
  readonly timeoutMs?: number;
}

/** An object on its way out. `stored` is there when the bytes in storage are exactly this object: send those. */
export interface Answer {
  readonly object: Frozen<KubeObject>;
  readonly stored?: StoredObject;
}

export interface ListAnswer {
  readonly items: readonly Answer[];
  readonly resourceVersion: string;
  readonly continue: string;
  readonly remainingItemCount?: number;
}

export type WatchEvent =
  | { readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'; readonly answer: Answer }
  | { readonly type: 'BOOKMARK'; readonly resourceVersion: string; readonly initialEventsEnd: boolean }
  | { readonly type: 'ERROR'; readonly status: JsonObject };

/**
 * A live stream. `next` resolves to undefined at a clean end, and so does one that waits when the stream is disposed of. Not
 * reading lets it overflow, and then it ends with 410.
 */
export interface WatchStream {
  next(): Promise<readonly WatchEvent[] | undefined>;
  dispose(): void;
}

export interface WriteAnswer {
  readonly answer: Answer;
  readonly created: boolean;
}

export type DeleteAnswer =
  | { readonly kind: 'object'; readonly answer: Answer }
  | { readonly kind: 'removed'; readonly name: string; readonly uid: string };

/** The outcome of a function: an object of some kind, or a Status. */
export interface ActAnswer {
  readonly code: number;
  readonly object: MutableJsonObject;
}

/**
 * The verbs of one served version of one resource, independent of any transport: the HTTP layer and the in-process client
 * call the same functions. Namespaces are '' for cluster-scoped resources and for requests over all namespaces.
 */
export interface ResourceEndpoint {
  readonly definition: ResourceDefinition;
  readonly version: ResourceVersionDefinition;
  get(
    caller: Caller,
    namespace: string,
    name: string,
    options?: { readonly resourceVersion?: string },
  ): Promise<Answer>;
  list(caller: Caller, namespace: string, options: ListOptions): Promise<ListAnswer>;
  watch(caller: Caller, namespace: string, options: WatchOptions): Promise<WatchStream>;
  create(caller: Caller, namespace: string, body: DecodedBody, options: WriteOptions): Promise<WriteAnswer>;
  /**
   * A POST that runs a function and stores nothing of its own: a review (`subresource` ''), or token, eviction, binding.
   * NotFound where there is no such function.
   */
  act(
    caller: Caller,
    target: { readonly namespace: string; readonly name: string; readonly subresource: string },
    body: MutableJsonObject,
    options: WriteOptions,
  ): Promise<ActAnswer>;
  /** `subresource` is '' for the object itself, else one whose definition has a `part`, or `scale`. */
  update(
    caller: Caller,
    namespace: string,
    name: string,
    body: DecodedBody,
    options: WriteOptions,
    subresource?: string,
  ): Promise<WriteAnswer>;
  patch(
    caller: Caller,
    namespace: string,
    name: string,
    patch: { readonly type: PatchType; readonly value: unknown; readonly duplicateKeys: readonly string[] },
    options: WriteOptions,
    subresource?: string,
  ): Promise<WriteAnswer>;
  getSubresource(caller: Caller, namespace: string, name: string, subresource: string): Promise<Answer>;
  delete(caller: Caller, namespace: string, name: string, options: DeleteOptions): Promise<DeleteAnswer>;
  deleteCollection(caller: Caller, namespace: string, list: ListOptions, options: DeleteOptions): Promise<ListAnswer>;
}

/** Every resource that is served right now. Custom resources come and go. */
export interface Registry {
  /** The endpoint behind /apis/<group>/<version>/…/<plural>, or undefined. */
  endpoint(group: string, version: string, plural: string): ResourceEndpoint | undefined;
  endpointForKind(group: string, version: string, kind: string): ResourceEndpoint | undefined;
  /** Definitions in the order of discovery: core, built-in groups, custom groups. */
  definitions(): readonly ResourceDefinition[];
  /** Grows whenever `definitions()` changes, so that discovery and OpenAPI can cache. */
  readonly generation: number;
  onChange(listener: () => void): { dispose(): void };
}
