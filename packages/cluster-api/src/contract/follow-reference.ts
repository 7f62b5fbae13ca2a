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
 * Reads a referenced provider object from a cache and watches its kind, so that a change enqueues its owner. `owner` is the kind
 * of the referencing object. A provider object that is created after the reference has no owner reference yet: `map` can find the
 * objects to enqueue in another way.
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
