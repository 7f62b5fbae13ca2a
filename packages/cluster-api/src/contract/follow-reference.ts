import type { Frozen, KubeObject } from '@slipway/kube';
import { mapToOwner, type ReconcileContext, type Resource, type Watch } from '@slipway/runtime';
import { type KindReference, type ProviderKind, resolveKind } from './provider-kind.js';

export interface ObjectReference extends KindReference {
  readonly name: string;
}

export interface ReferencedObject {
  readonly kind: ProviderKind;
  /** Undefined if the object does not exist. */
  readonly object: Frozen<KubeObject> | undefined;
}

/**
 * Reads a referenced provider object from a cache, and watches its kind: a change enqueues the owner. `owner` is the kind of
 * the referencing object. An object that is created after its reference has no owner yet: `map` can find the objects to enqueue
 * by other means.
 */
export async function followReference(
  context: Pick<ReconcileContext, 'sources' | 'follow'>,
  reference: ObjectReference,
  namespace: string,
  owner: Resource,
  map: Watch['map'] = mapToOwner(owner),
): Promise<ReferencedObject> {
  const kind = resolveKind(context.sources, reference);
  const source = await context.follow({ resource: kind.resource, map });
  return { kind, object: source.get({ namespace, name: reference.name }) };
}
