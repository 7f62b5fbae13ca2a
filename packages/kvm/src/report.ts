import type { ObservedCluster, Pausing } from '@slipway/cluster-api';
import type { Frozen, KubeObject } from '@slipway/kube';
import { FencedError, type ReconcileContext } from '@slipway/runtime';
import { kvmAnnotations } from './api/index.js';

/** Returns whether the cluster is paused, or that the pause annotation of the legacy operator pauses the object. */
export function pausingOf(
  { kind, metadata }: Pick<Frozen<KubeObject>, 'kind' | 'metadata'>,
  cluster: ObservedCluster | undefined,
): Pausing | undefined {
  const { legacyPaused } = kvmAnnotations;
  if (metadata.annotations?.[legacyPaused] !== 'true') return cluster;
  const paused = cluster?.spec.paused === true;
  return { spec: { paused }, otherCause: `${kind} has the ${legacyPaused} annotation` };
}

interface MirroredObject {
  readonly metadata: { readonly generation?: number };
  status?: { ready?: boolean; observedGeneration?: number; initialization?: { provisioned?: boolean } };
}

/** Sets `status.ready`, which managers of the v1beta1 contract read. */
export function mirrorStatus(draft: MirroredObject): void {
  draft.status ??= {};
  if (draft.status.initialization?.provisioned === true) draft.status.ready = true;
  draft.status.observedGeneration = draft.metadata.generation ?? 0;
}

/** Records an event for a failure that is about to be retried. */
export async function withFailureEvent<R>(
  { events }: Pick<ReconcileContext, 'events'>,
  object: Frozen<KubeObject>,
  run: () => Promise<R>,
): Promise<R> {
  try {
    return await run();
  } catch (error) {
    // A process that lost its lease records no event: its successor does.
    if (!(error instanceof FencedError))
      events.record(object, { type: 'Warning', reason: 'failed-to-reconcile', message: (error as Error).message });
    throw error;
  }
}
