import type { ObjectStore } from '@slipway/apiserver';
import type { Frozen, KubeObject } from '@slipway/kube';
import { type Condition, type Conditioned, getCondition, type Resource } from '@slipway/runtime';

/** Returns the objects of a resource directly from the store. */
export function objectsOf(store: ObjectStore, { group, plural }: Resource): readonly Frozen<KubeObject>[] {
  const resource = group === '' ? plural : `${group}/${plural}`;
  return store.list({ resource }).map(({ object }) => object);
}

export function conditionOf(object: Frozen<KubeObject>, type: string): Readonly<Condition> | undefined {
  return getCondition(object as Conditioned, type);
}

export function clusterLabel(object: Frozen<KubeObject>): string | undefined {
  return object.metadata.labels?.['cluster.x-k8s.io/cluster-name'];
}

/** Returns the uid of the owner with the given kind. */
export function ownerUid(object: Frozen<KubeObject>, kind: string): string | undefined {
  return object.metadata.ownerReferences?.find((reference) => reference.kind === kind)?.uid;
}

export function isDeleting(object: Frozen<KubeObject>): boolean {
  return object.metadata.deletionTimestamp !== undefined;
}

/** Returns the spec or status of an object with the type that the caller knows. */
export function partOf<T>(object: Frozen<KubeObject>, part: 'spec' | 'status'): T {
  return (object[part] ?? {}) as T;
}
