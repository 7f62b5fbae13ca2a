import type { Frozen, KubeObject } from '@slipway/kube';
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
import { keyOf, patchObject } from './patch-object.js';
import { pausedCondition, type Pausing } from './pause.js';

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
  const isSaid = isTold(plain, paused) || (reportsPaused && isPlain(plain, paused));
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

/** Neither is it paused, nor was it. */
function isPlain(object: Frozen<KubeObject>, wanted: NewCondition): boolean {
  return wanted.status !== 'True' && getCondition(object as Conditioned, 'Paused')?.status !== 'True';
}

function isTold(object: Frozen<KubeObject>, wanted: NewCondition): boolean {
  const current = getCondition(object as Conditioned, 'Paused');
  if (current?.status !== wanted.status || current.message !== wanted.message) return false;
  return current.observedGeneration === object.metadata.generation;
}
