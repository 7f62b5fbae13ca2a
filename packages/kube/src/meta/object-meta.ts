import type { JsonObject, JsonValue } from '../json/value.js';

interface TypeMeta {
  apiVersion: string;
  kind: string;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

export interface ManagedFieldsEntry {
  manager?: string;
  operation?: 'Apply' | 'Update';
  apiVersion?: string;
  time?: string;
  fieldsType?: 'FieldsV1';
  fieldsV1?: JsonObject;
  subresource?: string;
}

export interface ObjectMeta {
  name?: string;
  generateName?: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string | null;
  deletionTimestamp?: string | null;
  deletionGracePeriodSeconds?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  managedFields?: ManagedFieldsEntry[];
}

/** Any Kubernetes object. The fields beside metadata depend on its kind; `defineKind` types them. */
export interface KubeObject extends TypeMeta {
  metadata: ObjectMeta;
  [field: string]: unknown;
}

/**
 * The type of stored and cached objects, which are deep-frozen and shared. JSON values are read-only already: mapping over
 * that recursive type would not terminate in the compiler.
 */
export type Frozen<T> = [JsonValue] extends [T] ? T : FrozenParts<T>;

type FrozenParts<T> = T extends (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? [string, JsonObject] extends [keyof T, T]
      ? T
      : { readonly [Key in keyof T]: Frozen<T[Key]> }
    : T;
