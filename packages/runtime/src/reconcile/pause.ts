import type { Frozen, KubeObject } from '@slipway/kube';
import type { NewCondition } from '../conditions/index.js';

export const pausedAnnotation = 'cluster.x-k8s.io/paused';

export function hasAnnotation(object: Pick<Frozen<KubeObject>, 'metadata'>, name: string): boolean {
  return Object.hasOwn(object.metadata.annotations ?? {}, name);
}

/** The object that a pause can also come from: it is read through these fields only. */
export interface Pausing {
  readonly spec?: { readonly paused?: boolean };
  /** In words: what else a provider knows to pause an object. */
  readonly otherCause?: string;
}

/** Paused by the annotation (whatever its value) or by the Cluster it belongs to. */
export function isPaused(
  object: Pick<Frozen<KubeObject>, 'metadata'>,
  cluster?: Pausing,
  annotation = pausedAnnotation,
): boolean {
  return cluster?.spec?.paused === true || cluster?.otherCause !== undefined || hasAnnotation(object, annotation);
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
  if (cluster?.otherCause !== undefined) causes.push(cluster.otherCause);
  if (causes.length === 0) return { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' };
  return { type: 'Paused', status: 'True', reason: 'Paused', message: causes.join(', ') };
}
