import { scaleIntOrPercent } from '@slipway/kube';
import type { ObservedHealthCheck } from './target-health.js';

export interface RemediationLimit {
  readonly allowed: boolean;
  /** How many more machines may become unhealthy before remediation stops. */
  readonly remediationsAllowed: number;
  /** Why it is not allowed. */
  readonly message: string;
}

export interface HealthCounts {
  readonly expected: number;
  readonly healthy: number;
  /** Those that need remediation; machines that start or wait are neither. */
  readonly unhealthy: number;
}

const maxUnhealthyDefault = '100%';
const range = /^\[([0-9]+)-([0-9]+)\]$/;

/**
 * When many machines fail at once the cause is most likely not in them, and replacing them makes it worse. Every machine
 * that is not known to be healthy counts, so that a storm is seen while it builds up.
 */
export function remediationLimit(healthCheck: ObservedHealthCheck, counts: HealthCounts): RemediationLimit {
  const { unhealthyInRange = '', unhealthyLessThanOrEqualTo = maxUnhealthyDefault } =
    healthCheck.spec.remediation?.triggerIf ?? {};
  const notHealthy = counts.expected - counts.healthy;
  if (unhealthyInRange !== '') return limitByRange(unhealthyInRange, notHealthy, counts);
  const max = scaleIntOrPercent(unhealthyLessThanOrEqualTo, counts.expected, 'down');
  if (notHealthy <= max) return allow(max - notHealthy);
  return refuse(
    `exceeds maxUnhealthy (total: ${counts.expected}, unhealthy: ${counts.unhealthy}, maxUnhealthy: ${unhealthyLessThanOrEqualTo})`,
  );
}

function limitByRange(text: string, notHealthy: number, counts: HealthCounts): RemediationLimit {
  const [, low = '', high = ''] = range.exec(text) ?? [];
  const [min, max] = [Number(low), Number(high)];
  if (low !== '' && min <= notHealthy && notHealthy <= max) return allow(max - notHealthy);
  return refuse(
    `does not fall within the range (total: ${counts.expected}, unhealthy: ${counts.unhealthy}, unhealthyRange: ${text})`,
  );
}

function allow(remediationsAllowed: number): RemediationLimit {
  return { allowed: true, remediationsAllowed, message: '' };
}

function refuse(why: string): RemediationLimit {
  const message = `Remediation is not allowed, the number of not started or unhealthy machines ${why}`;
  return { allowed: false, remediationsAllowed: 0, message };
}
