import { conflict, type Frozen, type KubeObject } from '@slipway/kube';
import { isDeleting, keyOf } from '../change/index.js';
import { ifPresent, type Resource } from '../client/index.js';
import type { ReconcileContext } from '../controller/index.js';

/**
 * Reads the object from the server and throws a conflict if it was deleted, is being deleted or was replaced. Call it before
 * creating anything outside the API for a cached object: a cache may be minutes stale, for example if the watch of a new leader
 * is silent, and external resources that are created for a deleted object are never cleaned up. Also throws if this process may
 * no longer act once the response arrives.
 */
export async function confirmWanted<T extends KubeObject>(
  context: Pick<ReconcileContext, 'read' | 'signal' | 'check'>,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
): Promise<void> {
  const { read, signal } = context;
  const plain: Frozen<KubeObject> = object;
  const live: Frozen<KubeObject> | undefined = await ifPresent(read.get(resource, keyOf(plain), { signal }));
  context.check();
  if (live !== undefined && live.metadata.uid === plain.metadata.uid && !isDeleting(live)) return;
  const why = 'the object was deleted or is being deleted, and the cache has not observed it yet';
  throw conflict({ group: resource.group, resource: resource.plural }, plain.metadata.name ?? '', why);
}
