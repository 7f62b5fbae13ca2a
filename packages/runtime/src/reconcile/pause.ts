import type { Frozen, KubeObject } from '@slipway/kube';
import type { Client, Resource } from '../client/index.js';
import {
  type Conditioned,
  type ConditionTarget,
  getCondition,
  type NewCondition,
  setCondition,
} from '../conditions/index.js';
import { edit } from './edit.js';
import { patchObject } from './patch-object.js';

export const pausedAnnotation = 'cluster.x-k8s.io/paused';

export function hasAnnotation(object: Pick<Frozen<KubeObject>, 'metadata'>, name: string): boolean {
  return Object.hasOwn(object.metadata.annotations ?? {}, name);
}

/** The object that a pause can also come from: it is read through these two fields only. */
export interface Pausing {
  readonly spec?: { readonly paused?: boolean };
}

/** Paused by the annotation (whatever its value) or by the Cluster it belongs to. */
export function isPaused(
  object: Pick<Frozen<KubeObject>, 'metadata'>,
  cluster?: Pausing,
  annotation = pausedAnnotation,
): boolean {
  return cluster?.spec?.paused === true || hasAnnotation(object, annotation);
}

/** The Paused condition, which says every cause. */
export function pausedCondition(
  object: Pick<Frozen<KubeObject>, 'metadata' | 'kind'>,
  cluster?: Pausing,
  annotation = pausedAnnotation,
): NewCondition {
  const causes: string[] = [];
  if (cluster?.spec?.paused === true) causes.push('Cluster spec.paused is set to true');
  if (hasAnnotation(object, annotation)) causes.push(`${object.kind} has the ${annotation} annotation`);
  if (causes.length === 0) return { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' };
  return { type: 'Paused', status: 'True', reason: 'Paused', message: causes.join(', ') };
}

export interface PauseResult<T> {
  readonly paused: boolean;
  /** The condition was written: the caller ends its reconcile, the event of the write brings it back. */
  readonly changed: boolean;
  readonly object: Frozen<T>;
}

/** Writes the Paused condition when it has to change. */
export async function ensurePausedCondition<T extends KubeObject>(
  client: Client,
  resource: Resource<T>,
  object: Frozen<NoInfer<T>>,
  options: { readonly cluster?: Pausing; readonly nowMs: number; readonly signal?: AbortSignal },
): Promise<PauseResult<T>> {
  const plain: Frozen<KubeObject> = object;
  const wanted = pausedCondition(plain, options.cluster);
  const paused = wanted.status === 'True';
  const current = getCondition(plain as Conditioned, 'Paused');
  const generation = plain.metadata.generation;
  const same = current?.status === wanted.status && current.message === wanted.message;
  // An unpaused object whose generation moved on will be written by the reconcile itself, with everything else.
  if (same && (!paused || current.observedGeneration === generation)) return { paused, changed: false, object };
  const after = edit(plain, (draft) => setCondition(draft as ConditionTarget, wanted, options.nowMs));
  const patchOptions = { ownedConditions: ['Paused'], ...(options.signal && { signal: options.signal }) };
  return {
    paused,
    changed: true,
    object: await patchObject(client, resource, object, after as Frozen<T>, patchOptions),
  };
}
