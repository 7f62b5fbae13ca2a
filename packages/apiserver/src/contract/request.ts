import type { Frozen, JsonObject, KubeObject, MutableJsonObject } from '@slipway/kube';
import type { UserInfo } from './auth.js';
import type { StoredObject } from './store.js';
import type { ResourceDefinition, ResourceVersionDefinition } from './resource.js';

export type FieldValidation = 'Ignore' | 'Warn' | 'Strict';
export type PatchType = 'json' | 'merge' | 'strategic' | 'apply';
export type PropagationPolicy = 'Foreground' | 'Background' | 'Orphan';

/** The authenticated and authorized caller of a request, and the sink for its warnings. */
export interface Caller {
  readonly user: UserInfo;
  /** The User-Agent header, from which the field manager is derived if the request does not name one. */
  readonly userAgent: string;
  readonly signal: AbortSignal;
  warn(text: string): void;
  /** False for in-process callers that ignore warnings, so that warnings need not be computed. */
  readonly takesWarnings?: boolean;
  /** Called with the decoded body of a create or update, before it is changed. Undefined if nothing records it. */
  readonly requestDecoded?: (object: Frozen<KubeObject>) => void;
  /** Authorizes another verb that the request needs; throws 403. Undefined for callers that bypass authorization. */
  requireVerb?(verb: string): void;
  /**
   * Called before each step of a request whose duration grows with the size of the body, or of a stored object of
   * `storedBytes`. If the request is large, waits until other requests have run; otherwise returns undefined.
   */
  nextStep?(storedBytes?: () => number): Promise<void> | undefined;
}

export interface WriteOptions {
  readonly dryRun?: boolean;
  readonly fieldManager?: string;
  readonly fieldValidation?: FieldValidation;
  /** Whether to take over fields of other managers. Only for apply. */
  readonly force?: boolean;
}

export interface DeleteOptions {
  readonly dryRun?: boolean;
  readonly gracePeriodSeconds?: number;
  readonly propagationPolicy?: PropagationPolicy;
  readonly orphanDependents?: boolean;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
}

/** A decoded body with the findings of strict decoding. */
export interface DecodedBody {
  readonly value: MutableJsonObject;
  /** Paths of duplicate keys. */
  readonly duplicateKeys: readonly string[];
  /** Returns the paths of all keys of a JSON body in text order. Set only if there are duplicate keys. */
  readonly keyPaths?: () => readonly string[];
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
  /** Time until the transport ends the stream. A bookmark shortly before that saves the client a replay when it reconnects. */
  readonly timeoutMs?: number;
}

/**
 * An object to send. `stored` is set if the stored bytes are exactly this object and can be sent without encoding it.
 */
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
 * A watch stream. `next` resolves to undefined when the stream ends cleanly or is disposed of. A stream that is not read
 * fast enough overflows and ends with 410 Gone.
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

/** The result of a create-only resource: an object of some kind, or a Status. */
export interface CreateOnlyAnswer {
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
   * Handles POST to a create-only resource, which is not stored: a review (`subresource` ''), or the token, eviction and binding
   * subresources. Throws NotFound if the resource does not support this.
   */
  createOnly(
    caller: Caller,
    target: { readonly namespace: string; readonly name: string; readonly subresource: string },
    body: MutableJsonObject,
    options: WriteOptions,
  ): Promise<CreateOnlyAnswer>;
  /** Updates the object. `subresource` is '' for the main resource, otherwise `scale` or a subresource with a `part`. */
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

/** All resources that are currently served. Changes as CRDs are created and deleted. */
export interface Registry {
  /** Returns the endpoint behind /apis/<group>/<version>/…/<plural>, or undefined. */
  endpoint(group: string, version: string, plural: string): ResourceEndpoint | undefined;
  endpointForKind(group: string, version: string, kind: string): ResourceEndpoint | undefined;
  /** Returns resource definitions in discovery order: core, built-in groups, custom groups. */
  definitions(): readonly ResourceDefinition[];
  /** Increases whenever `definitions()` changes; cache key of discovery and OpenAPI. */
  readonly generation: number;
  onChange(listener: () => void): { dispose(): void };
}
