import type { Frozen, KubeObject } from '@slipway/kube';
import { mapToOwner, type ReconcileContext, type Resource, type Watch } from '@slipway/runtime';
import { type KindReference, type ProviderKind, resolveKind } from './provider-kind.js';

export interface ObjectReference extends KindReference {
  readonly name: string;
}

export interface ReferencedObject {
  readonly kind: ProviderKind;
  /** Undefined when there is none of that name. */
  readonly object: Frozen<KubeObject> | undefined;
}

/**
 * Reads the provider's object behind a reference from a cache, and from then on looks at its owner whenever an object of
 * that kind changes. `owner` is the kind of the object that refers to it. An object that comes after its reference has no
 * owner yet: `map` can find whom it concerns by other means as well.
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
