import type { Frozen, KubeObject } from '@slipway/kube';
import {
  addFinalizer,
  type Cause,
  type Conditioned,
  type ConditionTarget,
  edit,
  getCondition,
  isDeleting,
  keyOf,
  type NewCondition,
  type ReconcileContext,
  type Resource,
  setCondition,
} from '@slipway/runtime';
import { pausedCondition, type Pausing } from './pause.js';

export interface OpenOptions {
  readonly finalizer?: string;
  readonly cluster?: Pausing | undefined;
  /** Whether the reconcile itself reports that the object is not paused, in one write with the rest of its status. */
  readonly reportsPaused?: boolean;
}

/**
 * Ensures the finalizer and the Paused condition, as the first step of every reconcile. Returns false if the reconcile must end:
 * the object is paused, or something was written, and the next reconcile continues from there.
 */
export async function openReconcile<T extends KubeObject>(
  context: Pick<ReconcileContext, 'change' | 'clock' | 'enqueue'>,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
  { finalizer, cluster, reportsPaused = false }: OpenOptions,
): Promise<boolean> {
  const plain: Frozen<KubeObject> = object;
  const paused = pausedCondition(plain, cluster);
  const nowMs = context.clock.now();
  const isReported = isCurrent(plain, paused) || (reportsPaused && isPlain(plain, paused));
  const after = edit(plain, (draft) => {
    // An object that is being deleted cannot get a new finalizer.
    if (finalizer !== undefined && !isDeleting(plain)) addFinalizer(draft.metadata, finalizer);
    if (!isReported) setCondition(draft as ConditionTarget, paused, nowMs);
  });
  if (after === plain) return paused.status !== 'True';
  await context.change({
    verb: 'patch',
    resource,
    before: object,
    after: after as Frozen<T>,
    ownedConditions: ['Paused'],
    ...openingCause(paused, isReported, finalizer),
  });
  // Requeue explicitly: a controller may filter out the event of its own status write.
  context.enqueue(keyOf(object));
  return false;
}

function openingCause(paused: NewCondition, isReported: boolean, finalizer: string | undefined): Cause {
  if (finalizer !== undefined && (isReported || paused.status !== 'True'))
    return { reason: 'FinalizerAdded', message: `Added finalizer ${finalizer}` };
  return paused.status === 'True'
    ? { reason: 'Paused', message: paused.message ?? 'Reconciliation is paused' }
    : { reason: 'NotPaused', message: 'Reconciliation is not paused' };
}

/** Whether the object is not paused and was not paused before. */
function isPlain(object: Frozen<KubeObject>, desired: NewCondition): boolean {
  return desired.status !== 'True' && getCondition(object as Conditioned, 'Paused')?.status !== 'True';
}

function isCurrent(object: Frozen<KubeObject>, desired: NewCondition): boolean {
  const current = getCondition(object as Conditioned, 'Paused');
  if (current?.status !== desired.status || current.message !== desired.message) return false;
  return current.observedGeneration === object.metadata.generation;
}
