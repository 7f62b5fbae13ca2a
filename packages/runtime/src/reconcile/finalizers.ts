import type { Frozen, KubeObject } from '@slipway/kube';
import type { Client, RequestOptions, Resource } from '../client/index.js';
import { edit } from './edit.js';
import { patchObject } from './patch-object.js';

export function hasFinalizer(object: Pick<Frozen<KubeObject>, 'metadata'>, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) === true;
}

export function isDeleting(object: Pick<Frozen<KubeObject>, 'metadata'>): boolean {
  return typeof object.metadata.deletionTimestamp === 'string';
}

/** For drafts. */
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
 * Puts the finalizer on with a patch of its own. When it changed something the caller should end the reconcile: the event
 * of the write brings it back with a cache that knows. An object that is being deleted takes no new finalizer.
 */
export async function ensureFinalizer<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
  finalizer: string,
  options: RequestOptions = {},
): Promise<FinalizerResult<T>> {
  const plain: Frozen<KubeObject> = object;
  if (hasFinalizer(plain, finalizer) || isDeleting(plain)) return { changed: false, object };
  const after = edit(plain, (draft) => addFinalizer(draft.metadata as { finalizers?: string[] }, finalizer));
  return { changed: true, object: await patchObject(client, resource, object, after as Frozen<T>, options) };
}

/** Takes it off. The object may be gone afterwards. */
export async function releaseFinalizer<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
  finalizer: string,
  options: RequestOptions = {},
): Promise<FinalizerResult<T>> {
  const plain: Frozen<KubeObject> = object;
  if (!hasFinalizer(plain, finalizer)) return { changed: false, object };
  const after = edit(plain, (draft) => removeFinalizer(draft.metadata as { finalizers?: string[] }, finalizer));
  return { changed: true, object: await patchObject(client, resource, object, after as Frozen<T>, options) };
}
