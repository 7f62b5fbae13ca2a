import type { Frozen, KubeObject } from '@slipway/kube';
import { hasAnnotation, type NewCondition } from '@slipway/runtime';
import { annotations } from '../api/index.js';

/** The fields of a Cluster that pause its objects. */
export interface Pausing {
  readonly spec?: { readonly paused?: boolean };
  /** A provider-specific reason for a pause. */
  readonly otherCause?: string;
}

/** Whether an object is paused, by the annotation (with any value) or by its Cluster. */
export function isPaused(
  object: Pick<Frozen<KubeObject>, 'metadata'>,
  cluster?: Pausing,
  annotation: string = annotations.paused,
): boolean {
  return cluster?.spec?.paused === true || cluster?.otherCause !== undefined || hasAnnotation(object, annotation);
}

/** Returns the Paused condition, which lists every cause. */
export function pausedCondition(
  object: Pick<Frozen<KubeObject>, 'metadata' | 'kind'>,
  cluster?: Pausing,
  annotation: string = annotations.paused,
): NewCondition {
  const causes: string[] = [];
  if (cluster?.spec?.paused === true) causes.push('Cluster spec.paused is set to true');
  if (hasAnnotation(object, annotation)) causes.push(`${object.kind} has the ${annotation} annotation`);
  if (cluster?.otherCause !== undefined) causes.push(cluster.otherCause);
  if (causes.length === 0) return { type: 'Paused', status: 'False', reason: 'NotPaused', message: '' };
  return { type: 'Paused', status: 'True', reason: 'Paused', message: causes.join(', ') };
}
