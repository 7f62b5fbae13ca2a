import type { FieldError, Frozen, JsonObject, KubeObject, MutableJsonObject, Schema } from '@slipway/kube';
import type { UserInfo } from './auth.js';

export type Verb = 'create' | 'delete' | 'deletecollection' | 'get' | 'list' | 'patch' | 'update' | 'watch';

export interface TableColumn {
  readonly name: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'date';
  readonly format?: string;
  readonly description?: string;
  readonly priority?: number;
}

/** Prints a kind as `kubectl get` shows it. `cells` returns one value per column; ages are relative to `now`. */
export interface TablePrinter {
  readonly columns: readonly TableColumn[];
  cells(object: Frozen<KubeObject>, now: number): readonly unknown[];
}

/** One served version of a resource. */
export interface ResourceVersionDefinition {
  readonly name: string;
  readonly served: boolean;
  /** Schema of the whole object, including apiVersion, kind and metadata. */
  readonly schema: Schema;
  readonly table: TablePrinter;
  readonly subresources: { readonly status: boolean; readonly scale?: ScalePaths };
  /** Structs that every object of a built-in kind contains, even if they are empty. Managed fields never own them. */
  readonly empty?: JsonObject;
  /** Deprecation warning, sent in the `Warning` header of every request to this version. */
  readonly deprecationWarning?: string;
  /**
   * Field selectors beyond metadata.name and metadata.namespace. Each function returns the value of a field, '' if it is absent.
   */
  readonly selectableFields: Readonly<Record<string, (object: Frozen<KubeObject>) => string>>;
}

export interface ScalePaths {
  /** Simple JSON paths such as `.spec.replicas`. */
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** Context of the write that a strategy takes part in. */
export interface WriteContext {
  readonly user: UserInfo;
  readonly now: number;
  readonly dryRun: boolean;
  /** Empty for the main resource, otherwise `status`, `approval`, `finalize` … */
  readonly subresource: string;
  /** The name in the request path. Empty for POST; set for an apply or PUT that creates the object. */
  readonly requestName: string;
  warn(text: string): void;
}

/**
 * Kind-specific behaviour of writes, like upstream's registry strategies. Objects that are passed in are owned by the request
 * and changed in place; `old` is frozen. Every member is optional.
 */
export interface WriteStrategy {
  /** Returns problems of the name (or of a generateName `prefix`) in upstream's wording. Default: DNS-1123 subdomain. */
  validateName?(name: string, prefix?: boolean): readonly string[];
  /** Sets defaults that a schema cannot express. Runs on every decode, at the decoded version, before admission. */
  setDefaults?(object: KubeObject): void;
  /** Clears fields that clients may not set and sets fields that the server owns. Runs after mutating admission. */
  prepareForCreate?(object: KubeObject, context: WriteContext): void | Promise<void>;
  prepareForUpdate?(object: KubeObject, old: Frozen<KubeObject>, context: WriteContext): void | Promise<void>;
  validateCreate?(object: Frozen<KubeObject>, context: WriteContext): readonly FieldError[];
  validateUpdate?(object: Frozen<KubeObject>, old: Frozen<KubeObject>, context: WriteContext): readonly FieldError[];
  /** Releases what prepareForCreate reserved outside the object (a cluster IP, a node port) when the write fails. */
  release?(object: Frozen<KubeObject>): void;
  /** Called after the object was removed from storage. */
  afterDelete?(object: Frozen<KubeObject>): void;
  /** Finalizers that the server adds when deletion is requested (CRDs). */
  deletionFinalizers?(object: Frozen<KubeObject>): readonly string[];
  /** Sets kind-specific fields of an object that is being deleted but not removed yet (namespaces: status.phase). */
  beginDeletion?(object: KubeObject): void;
  /** Whether something other than metadata.finalizers blocks removal (namespaces: spec.finalizers). */
  holdsDeletion?(object: Frozen<KubeObject>): boolean;
  /** Returns the grace period of a deletion; undefined deletes immediately (all kinds except pods). */
  graceSeconds?(object: Frozen<KubeObject>, requested: number | undefined): number | undefined;
}

/** Strategies of CertificateSigningRequest. */
export interface SigningRequestStrategies {
  /** Main resource and `status`; `context.subresource` distinguishes them. */
  readonly main: WriteStrategy;
  readonly approval: WriteStrategy;
}

/** A subresource other than status and scale: token, eviction, binding, approval, finalize … */
export interface Subresource {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly Verb[];
  /** Set if the subresource is a part of the object, like `status`: get, update and patch use this strategy. */
  readonly part?: WriteStrategy;
  /** Set for all other subresources: handles POST. */
  readonly create?: SubresourceCreate;
}

export type SubresourceCreate = (request: {
  readonly namespace: string;
  readonly name: string;
  readonly body: MutableJsonObject;
  readonly user: UserInfo;
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
}) => Promise<{ readonly code: number; readonly object: MutableJsonObject }>;

/** Definition of one resource, built-in or custom: data plus a strategy. */
export interface ResourceDefinition {
  readonly group: string;
  readonly plural: string;
  readonly singular: string;
  readonly kind: string;
  readonly listKind: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly Verb[];
  /** The verbs in discovery, if they differ: those of a CRD that is being deleted. */
  readonly discoveryVerbs?: readonly Verb[];
  /** Served versions in order of preference. */
  readonly versions: readonly ResourceVersionDefinition[];
  readonly storageVersion: string;
  /** Name of the collection in the store. Two definitions may share one (core and events.k8s.io events). */
  readonly storageResource: string;
  readonly custom: boolean;
  readonly strategy: WriteStrategy;
  readonly subresources: readonly Subresource[];
  /** Whether PUT without resourceVersion is accepted. Never for custom resources. */
  readonly unconditionalUpdate: boolean;
  /** Whether PUT creates the object if it does not exist (leases, endpoints, events, roles …). */
  readonly createOnUpdate: boolean;
  /** Whether an immediate DELETE returns the object instead of a Status (pods, services, service accounts …). */
  readonly returnsDeleted: boolean;
  /** Default propagation policy of deletions. When absent, the garbage collector deletes dependents in the background. */
  readonly defaultPropagation?: { readonly policy: 'Orphan'; readonly warning?: string };
  /** Converts objects to another version; only called if the versions differ. May call a webhook. */
  convert(
    objects: readonly Frozen<KubeObject>[],
    toVersion: string,
  ): Promise<readonly KubeObject[]> | readonly KubeObject[];
  /** Handles POST of create-only resources (reviews), which are not stored. Undefined for all other resources. */
  readonly createOnly?: SubresourceCreate;
}
