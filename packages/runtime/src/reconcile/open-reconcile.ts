import type { Frozen, KubeObject } from '@slipway/kube';
import { type Cause, keyOf } from '../change/index.js';
import type { Resource } from '../client/index.js';
import {
  type Conditioned,
  type ConditionTarget,
  getCondition,
  type NewCondition,
  setCondition,
} from '../conditions/index.js';
import type { ReconcileContext } from '../controller/index.js';
import { edit } from './edit.js';
import { addFinalizer, isDeleting } from './finalizers.js';
import { pausedCondition, type Pausing } from './pause.js';

export interface OpenOptions {
  readonly finalizer?: string;
  readonly cluster?: Pausing | undefined;
  /** The reconcile itself says that the object is not paused, in one write with all else that it reports. */
  readonly reportsPaused?: boolean;
}

/**
 * The first step of every reconcile: ensures the finalizer and the Paused condition. False when the reconcile ends here:
 * something was written, and the next reconcile continues from there, or the object is paused.
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
    // An object that is being deleted takes no new finalizer.
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
  // Not left to the event of the write: a controller may well filter out changes of its own status.
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

/** Neither is it paused, nor was it. */
function isPlain(object: Frozen<KubeObject>, wanted: NewCondition): boolean {
  return wanted.status !== 'True' && getCondition(object as Conditioned, 'Paused')?.status !== 'True';
}

function isCurrent(object: Frozen<KubeObject>, wanted: NewCondition): boolean {
  const current = getCondition(object as Conditioned, 'Paused');
  if (current?.status !== wanted.status || current.message !== wanted.message) return false;
  return current.observedGeneration === object.metadata.generation;
}
