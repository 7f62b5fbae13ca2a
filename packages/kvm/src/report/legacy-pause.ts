import type { ObservedCluster } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { Pausing } from '@slipway/runtime';
import { kvmAnnotations } from '../api/index.js';

/** The operator before this one was paused by an annotation of its own; whoever still sets it means the same. */
export function pausingOf(
  { kind, metadata }: Pick<Frozen<KubeObject>, 'kind' | 'metadata'>,
  cluster: ObservedCluster | undefined,
): Pausing | undefined {
  const { legacyPaused } = kvmAnnotations;
  if (metadata.annotations?.[legacyPaused] !== 'true') return cluster;
  const paused = cluster?.spec.paused === true;
  return { spec: { paused }, otherCause: `${kind} has the ${legacyPaused} annotation` };
}
