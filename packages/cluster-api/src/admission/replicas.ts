import type { ObjectMeta } from '@slipway/kube';
import { annotations } from '../api/names.js';

interface Scaled {
  readonly metadata: ObjectMeta;
  readonly spec: { replicas?: number };
}

/**
 * Returns the replicas for an object that does not set them. With autoscaler annotations, a new object starts at the lower bound,
 * and an update keeps the stored value within the bounds: a client that omits `replicas` must not reset the value of the
 * autoscaler.
 */
export function defaultReplicas(object: Scaled, old: Scaled | undefined): number {
  if (object.spec.replicas !== undefined) return object.spec.replicas;
  const min = sizeAnnotation(object.metadata, annotations.autoscalerMinSize);
  const max = sizeAnnotation(object.metadata, annotations.autoscalerMaxSize);
  if (min === undefined || max === undefined) return 1;
  const former = old?.spec.replicas;
  return former === undefined ? min : Math.max(min, Math.min(former, max));
}

function sizeAnnotation(metadata: ObjectMeta, key: string): number | undefined {
  const text = metadata.annotations?.[key];
  return text !== undefined && /^[0-9]{1,9}$/.test(text) ? Number(text) : undefined;
}
