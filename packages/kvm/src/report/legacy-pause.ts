import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Pausing } from '@slipway/runtime';
import { kvmAnnotations } from '../api/index.js';

/** The operator before this one was paused by an annotation of its own; whoever still sets it means the same. */
export function pausingOf(
  { metadata }: Pick<Frozen<KubeObject>, 'metadata'>,
  cluster: ObservedCluster | undefined,
): Pausing | undefined {
  const isPaused = metadata.annotations?.[kvmAnnotations.legacyPaused] === 'true';
  return isPaused ? { spec: { paused: true } } : cluster;
}
