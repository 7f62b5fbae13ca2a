import type { Frozen, KubeObject } from '@slipway/kube';
import { isDeleting } from '@slipway/runtime';

/** Whether the object no longer exists because the last write removed the last finalizer of a deleting object. */
export function isGone(object: Pick<Frozen<KubeObject>, 'metadata'>): boolean {
  return isDeleting(object) && (object.metadata.finalizers ?? []).length === 0;
}
