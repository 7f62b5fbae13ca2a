import type { Frozen, KubeObject } from '@slipway/kube';
import {
  addFinalizer,
  type ConditionTarget,
  type Conditioned,
  edit,
  getCondition,
  isDeleting,
  keyOf,
  type NewCondition,
  patchObject,
  pausedCondition,
  type Pausing,
  type ReconcileContext,
  type Resource,
  setCondition,
} from '@slipway/runtime';

export interface OpenOptions {
  readonly finalizer?: string;
  readonly cluster?: Pausing | undefined;
  /** The reconcile itself says that the object is not paused, in one write with all else that it reports. */
  readonly reportsPaused?: boolean;
}

/**
 * What every reconcile begins with: the finalizer is on, and the Paused condition says what is. False when the reconcile
 * ends here: something was written, and the next look goes on from there, or the object is paused.
 */
export async function openReconcile<T extends KubeObject>(
  context: Pick<ReconcileContext, 'client' | 'clock' | 'signal' | 'enqueue'>,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
  { finalizer, cluster, reportsPaused = false }: OpenOptions,
): Promise<boolean> {
  const plain: Frozen<KubeObject> = object;
  const paused = pausedCondition(plain, cluster);
  const nowMs = context.clock.now();
  const isSaid = (reportsPaused && paused.status !== 'True') || isTold(plain, paused);
  const after = edit(plain, (draft) => {
    // An object that is being deleted takes no new finalizer.
    if (finalizer !== undefined && !isDeleting(plain)) addFinalizer(draft.metadata, finalizer);
    if (!isSaid) setCondition(draft as ConditionTarget, paused, nowMs);
  });
  if (after === plain) return paused.status !== 'True';
  const { client, signal } = context;
  await patchObject(client, resource, object, after as Frozen<T>, { ownedConditions: ['Paused'], signal });
  // Not left to the event of the write: a controller may well filter out changes of its own status.
  context.enqueue(keyOf(object));
  return false;
}

function isTold(object: Frozen<KubeObject>, wanted: NewCondition): boolean {
  const current = getCondition(object as Conditioned, 'Paused');
  if (current?.status !== wanted.status || current.message !== wanted.message) return false;
  return current.observedGeneration === object.metadata.generation;
}
