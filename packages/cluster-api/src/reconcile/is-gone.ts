import type { Frozen, KubeObject } from '@slipway/kube';
import { isDeleting } from '@slipway/runtime';

/** Whether nothing held the object any more when it was last written: there is nobody left to tell anything about it. */
export function isGone(object: Pick<Frozen<KubeObject>, 'metadata'>): boolean {
  return isDeleting(object) && (object.metadata.finalizers ?? []).length === 0;
}
