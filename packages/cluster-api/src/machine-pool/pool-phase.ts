import { annotations } from '../api/index.js';
import { isDeleting } from '../machines/index.js';
import type { ObservedPool } from './pool-pass.js';

export type PoolPhase = NonNullable<NonNullable<ObservedPool['status']>['phase']>;

/** The last of the steps that the pool has reached. */
export function poolPhase(pool: ObservedPool): PoolPhase {
  const { status = {}, spec } = pool;
  if (isDeleting(pool)) return 'Deleting';
  const provisioned = status.initialization?.infrastructureProvisioned === true;
  const ready = status.deprecated?.v1beta1?.readyReplicas ?? 0;
  if (provisioned && spec.replicas !== undefined) return scalePhase(pool, spec.replicas, ready);
  if ((status.nodeRefs ?? []).length > 0) return 'Provisioned';
  if (status.initialization?.bootstrapDataSecretCreated === true && !provisioned) return 'Provisioning';
  return status.phase ?? 'Pending';
}

function scalePhase(pool: ObservedPool, wanted: number, ready: number): PoolPhase {
  if (wanted === ready) return 'Running';
  // Somebody else may change the number at any time: which way it goes nobody can tell.
  if (isManagedElsewhere(pool)) return 'Scaling';
  return wanted > ready ? 'ScalingUp' : 'ScalingDown';
}

/** The infrastructure decides how many replicas there are, and writes the number into the pool. */
function isManagedElsewhere({ metadata }: ObservedPool): boolean {
  const value = metadata.annotations?.[annotations.replicasManagedBy];
  return value !== undefined && value !== 'false';
}
