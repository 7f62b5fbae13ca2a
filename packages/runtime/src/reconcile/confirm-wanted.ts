import { conflict, type Frozen, type KubeObject } from '@slipway/kube';
import { keyOf } from '../change/index.js';
import { ifPresent, type Resource } from '../client/index.js';
import type { ReconcileContext } from '../controller/index.js';
import { isDeleting } from './finalizers.js';

/**
 * Asks the server whether an object that the cache shows is still wanted, and throws a conflict when it is not. To be asked
 * before anything is made for it past the API: a cache may be minutes behind without knowing it, as that of a process which
 * has just begun to lead and whose watch has gone silent. What is made for an object that is gone nobody takes away again.
 * Also throws when this process may not act any more, once the answer is there.
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
  const why = 'it is gone or being deleted, and the cache has not heard of it yet';
  throw conflict({ group: resource.group, resource: resource.plural }, plain.metadata.name ?? '', why);
}
