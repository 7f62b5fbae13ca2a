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

/** How `kubectl get` prints a kind. `cells` matches `columns` one to one; times are rendered against `now`. */
export interface TablePrinter {
  readonly columns: readonly TableColumn[];
  cells(object: Frozen<KubeObject>, now: number): readonly unknown[];
}

/** One served version of a resource. */
export interface ResourceVersionDefinition {
  readonly name: string;
  readonly served: boolean;
  /** The whole object, apiVersion, kind and metadata included. */
  readonly schema: Schema;
  readonly table: TablePrinter;
  readonly subresources: { readonly status: boolean; readonly scale?: ScalePaths };
  /** Structs that an object of a built-in kind always has: nobody owns their mere existence. */
  readonly empty?: JsonObject;
  /** The text of the `Warning` header that every request to this version gets. */
  readonly deprecationWarning?: string;
  /** Field selectors beyond metadata.name and metadata.namespace: label to value, absent values as ''. */
  readonly selectableFields: Readonly<Record<string, (object: Frozen<KubeObject>) => string>>;
}

export interface ScalePaths {
  /** Simple JSON paths such as `.spec.replicas`. */
  readonly specReplicas: string;
  readonly statusReplicas: string;
  readonly labelSelector?: string;
}

/** What a strategy may know of the write it takes part in. */
export interface WriteContext {
  readonly user: UserInfo;
  readonly now: number;
  readonly dryRun: boolean;
  /** Empty for the main resource, else `status`, `approval`, `finalize` … */
  readonly subresource: string;
  /** As in the path: empty for a POST, and there for an apply or a PUT that creates. */
  readonly requestName: string;
  warn(text: string): void;
}

/**
 * What makes one kind's writes different from another's. Objects that are passed in are owned by the request and changed in
 * place; `old` is frozen. Everything is optional: custom resources need next to nothing.
 */
export interface WriteStrategy {
  /** Problems with the name (or with a generateName `prefix`), in upstream's words; DNS-1123 subdomain when absent. */
  validateName?(name: string, prefix?: boolean): readonly string[];
  /** Defaults that a schema cannot express; runs on every decode, at the version decoded, before admission. */
  setDefaults?(object: KubeObject): void;
  /** Clears what clients may not set, fills what the server owns. Runs after mutating admission. */
  prepareForCreate?(object: KubeObject, context: WriteContext): void | Promise<void>;
  prepareForUpdate?(object: KubeObject, old: Frozen<KubeObject>, context: WriteContext): void | Promise<void>;
  validateCreate?(object: Frozen<KubeObject>, context: WriteContext): readonly FieldError[];
  validateUpdate?(object: Frozen<KubeObject>, old: Frozen<KubeObject>, context: WriteContext): readonly FieldError[];
  /** Undoes what prepareForCreate reserved outside the object (a cluster IP, a node port) when the write fails. */
  release?(object: Frozen<KubeObject>): void;
  /** After the object is gone for good. */
  afterDelete?(object: Frozen<KubeObject>): void;
  /** Finalizers that the server itself adds when the deletion begins (custom resource definitions). */
  deletionFinalizers?(object: Frozen<KubeObject>): readonly string[];
  /** Marks the object as terminating in the kind's own way, when its deletion has to wait (namespaces: status.phase). */
  beginDeletion?(object: KubeObject): void;
  /** True while something besides finalizers keeps a terminating object (namespaces: spec.finalizers). */
  holdsDeletion?(object: Frozen<KubeObject>): boolean;
  /** Grace for a deletion that asks for none; undefined deletes at once (everything but pods). */
  graceSeconds?(object: Frozen<KubeObject>, requested: number | undefined): number | undefined;
}

/** How CertificateSigningRequests are written. */
export interface SigningRequestStrategies {
  /** The object itself and its `status`; the context tells them apart. */
  readonly main: WriteStrategy;
  readonly approval: WriteStrategy;
}

/** A subresource that is not simply a part of the object: token, eviction, binding, approval, finalize … */
export interface Subresource {
  readonly name: string;
  readonly kind: { readonly group: string; readonly version: string; readonly kind: string };
  readonly verbs: readonly Verb[];
  /** `part`: get, update and patch of the parent object through another strategy, as `status` does. */
  readonly part?: WriteStrategy;
  /** Otherwise a function of its own, called for create (POST). */
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

/** Everything the server knows of one resource, built-in or custom: data plus a strategy. */
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
  /** In order of preference. */
  readonly versions: readonly ResourceVersionDefinition[];
  readonly storageVersion: string;
  /** The collection in the store. Two definitions may share one (core and events.k8s.io events). */
  readonly storageResource: string;
  readonly custom: boolean;
  readonly strategy: WriteStrategy;
  readonly subresources: readonly Subresource[];
  /** PUT without resourceVersion is accepted. Never for custom resources. */
  readonly unconditionalUpdate: boolean;
  /** PUT of an absent object creates it (leases, endpoints, events, roles …). */
  readonly createOnUpdate: boolean;
  /** An immediate DELETE answers with the object instead of a Status (pods, services, service accounts …). */
  readonly returnsDeleted: boolean;
  /** What becomes of dependents when a deletion does not say; the garbage collector deletes them when absent. */
  readonly defaultPropagation?: { readonly policy: 'Orphan'; readonly warning?: string };
  /** Converts between served versions; only called when they differ. May call a webhook. */
  convert(
    objects: readonly Frozen<KubeObject>[],
    toVersion: string,
  ): Promise<readonly KubeObject[]> | readonly KubeObject[];
  /** For create-only virtual resources (reviews): nothing is stored. */
  readonly virtualCreate?: SubresourceCreate;
}
