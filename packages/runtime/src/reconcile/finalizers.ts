import type { Frozen, KubeObject } from '@slipway/kube';
import { edit, isDeleting, type PatchChange, type Writer } from '../change/index.js';
import type { Resource } from '../client/index.js';

export function hasFinalizer(object: Pick<Frozen<KubeObject>, 'metadata'>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}

/** Adds a finalizer to the metadata of a draft. */
export function addFinalizer(metadata: { finalizers?: string[] }, finalizer: string): void {
  if (metadata.finalizers?.includes(finalizer) !== true)
    metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
}

export function removeFinalizer(metadata: { finalizers?: string[] }, finalizer: string): void {
  if (metadata.finalizers?.includes(finalizer) === true)
    metadata.finalizers = metadata.finalizers.filter((name) => name !== finalizer);
}

export type FinalizerResult<T> = { readonly changed: boolean; readonly object: Frozen<T> };

/**
 * Adds the finalizer by a separate patch. If this changed the object, the caller should end the reconcile: the event of the write
 * triggers the next one with a current cache. A deleting object accepts no new finalizer.
 */
export async function ensureFinalizer<T extends KubeObject>(
  writer: Pick<Writer, 'change'>,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
  finalizer: string,
): Promise<FinalizerResult<T>> {
  const plain: Frozen<KubeObject> = object;
  if (hasFinalizer(plain, finalizer) || isDeleting(plain)) return { changed: false, object };
  const after = edit(plain, (draft) => addFinalizer(draft.metadata as { finalizers?: string[] }, finalizer));
  return {
    changed: true,
    object: await writer.change(finalizerChange(resource, object, after as Frozen<T>, finalizer)),
  };
}

/** Removes the finalizer. The server may delete the object as a result. */
export async function releaseFinalizer<T extends KubeObject>(
  writer: Pick<Writer, 'change'>,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
  finalizer: string,
): Promise<FinalizerResult<T>> {
  const plain: Frozen<KubeObject> = object;
  if (!hasFinalizer(plain, finalizer)) return { changed: false, object };
  const after = edit(plain, (draft) => removeFinalizer(draft.metadata as { finalizers?: string[] }, finalizer));
  return {
    changed: true,
    object: await writer.change(finalizerChange(resource, object, after as Frozen<T>, finalizer)),
  };
}

function finalizerChange<T extends KubeObject>(
  resource: Resource<T>,
  before: Frozen<NoInfer<T>>,
  after: Frozen<NoInfer<T>>,
  finalizer: string,
): PatchChange<T> {
  const plain: Frozen<KubeObject> = before;
  return hasFinalizer(plain, finalizer)
    ? { verb: 'patch', resource, before, after, reason: 'FinalizerRemoved', message: `Removed finalizer ${finalizer}` }
    : { verb: 'patch', resource, before, after, reason: 'FinalizerAdded', message: `Added finalizer ${finalizer}` };
}
