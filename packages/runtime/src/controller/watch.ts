import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';
import type { Predicate } from './predicates.js';

/** A watched resource, and the mapping from its events to keys of the controller's own resource. */
export interface Watch {
  readonly resource: Resource;
  readonly map: (object: Frozen<KubeObject>) => Iterable<ObjectKey>;
  readonly filter?: Predicate;
}

export interface TypedWatch<T extends KubeObject> {
  /**
   * Maps an object to the keys to enqueue. For updates it is called with the new and the old object: a changed reference concerns
   * the targets of both.
   */
  readonly map: (object: Frozen<T>) => Iterable<ObjectKey>;
  readonly filter?: Predicate<T>;
}

/** Declares a watch on a resource. Keeps the object type for the mapping, which a list of watches cannot. */
export function watch<T extends KubeObject>(resource: Resource<T>, options: TypedWatch<T>): Watch {
  return { resource, ...options } as unknown as Watch;
}

/** Returns a mapping from an object to its controller owner, if the owner is of the given resource. */
export function mapToController(owner: Resource): Watch['map'] {
  return (object) => {
    const reference = object.metadata.ownerReferences?.find((candidate) => candidate.controller === true);
    if (reference === undefined || reference.kind !== owner.kind) return [];
    if (parseApiVersion(reference.apiVersion).group !== owner.group) return [];
    return [{ namespace: owner.namespaced ? (object.metadata.namespace ?? '') : '', name: reference.name }];
  };
}

/** Returns a mapping from an object to all its owners of the given resource. */
export function mapToOwner(owner: Resource): Watch['map'] {
  return (object) => {
    const namespace = owner.namespaced ? (object.metadata.namespace ?? '') : '';
    return (object.metadata.ownerReferences ?? [])
      .filter(({ kind, apiVersion }) => kind === owner.kind && parseApiVersion(apiVersion).group === owner.group)
      .map(({ name }) => ({ namespace, name }));
  };
}

export function mapToSelf(object: Frozen<KubeObject>): ObjectKey[] {
  return [{ namespace: object.metadata.namespace ?? '', name: object.metadata.name ?? '' }];
}

/** Formats a key as `namespace/name`, or `/name` for cluster-scoped objects. */
export function keyText(key: ObjectKey): string {
  return `${key.namespace}/${key.name}`;
}

export function parseKey(text: string): ObjectKey {
  const slash = text.indexOf('/');
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
