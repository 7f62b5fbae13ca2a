export type { Frozen, KubeObject, ManagedFieldsEntry, ObjectMeta, OwnerReference, TypeMeta } from './object-meta.js';
export type { GroupVersion, GroupVersionKind, GroupVersionResource } from './group-version.js';
export { formatApiVersion, parseApiVersion, qualifiedResource } from './group-version.js';
