import { scaleIntOrPercent } from '@slipway/kube';
import type { ObservedDeployment } from './rollout-plan.js';

export type RolloutStrategy = 'RollingUpdate' | 'OnDelete';

export interface RolloutLimits {
  readonly replicas: number;
  /** How many machines may exist beyond the wanted ones. */
  readonly maxSurge: number;
  /** How many of the wanted machines may be missing. */
  readonly maxUnavailable: number;
  readonly minAvailable: number;
}

const maxSurgeDefault = 1;
const maxUnavailableDefault = 0;

export function strategyOf(deployment: ObservedDeployment): RolloutStrategy {
  return deployment.spec.rollout?.strategy?.type ?? 'RollingUpdate';
}

export function rolloutLimits(deployment: ObservedDeployment): RolloutLimits {
  const replicas = deployment.spec.replicas ?? 0;
  if (strategyOf(deployment) === 'OnDelete')
    return { replicas, maxSurge: 0, maxUnavailable: 0, minAvailable: replicas };
  const rollingUpdate = deployment.spec.rollout?.strategy?.rollingUpdate ?? {};
  const maxSurge = scaleIntOrPercent(rollingUpdate.maxSurge ?? maxSurgeDefault, replicas, 'up');
  const wanted = scaleIntOrPercent(rollingUpdate.maxUnavailable ?? maxUnavailableDefault, replicas, 'down');
  // Percentages of few replicas can both come out as zero, and then nothing could ever be replaced.
  const unavailable = maxSurge === 0 && wanted === 0 ? 1 : wanted;
  const maxUnavailable = Math.min(unavailable, replicas);
  return { replicas, maxSurge, maxUnavailable, minAvailable: replicas - maxUnavailable };
}

/** How `maxUnavailable` is told to the user: as it was written. */
export function maxUnavailableText(deployment: ObservedDeployment): string {
  return String(deployment.spec.rollout?.strategy?.rollingUpdate?.maxUnavailable ?? maxUnavailableDefault);
}
