import { formatMicroTime } from '@slipway/kube';
import type { LeaseSpec } from '@slipway/kube/builtin';

export interface LeaseTimes {
  readonly leaseDurationMs: number;
  readonly renewDeadlineMs: number;
  readonly retryPeriodMs: number;
}

/** The default times of client-go. */
export const leaseTimesDefault: LeaseTimes = {
  leaseDurationMs: 15_000,
  renewDeadlineMs: 10_000,
  retryPeriodMs: 2_000,
};

const jitterFactor = 1.2;

/**
 * Checks the constraints that client-go enforces. Without them, another process could take over while the leader believes that it
 * still leads.
 */
export function checkLeaseTimes(times: LeaseTimes): void {
  if (times.leaseDurationMs <= times.renewDeadlineMs)
    throw new RangeError('leaseDuration must be greater than renewDeadline');
  if (times.renewDeadlineMs <= times.retryPeriodMs * jitterFactor)
    throw new RangeError('renewDeadline must be greater than retryPeriod*JitterFactor');
  if (times.leaseDurationMs % 1000 !== 0 || times.leaseDurationMs < 1000)
    throw new RangeError('leaseDuration must be a whole number of seconds, at least one');
  if (times.retryPeriodMs <= 0) throw new RangeError('retryPeriod must be greater than zero');
}

export function leaseSpec(
  identity: string,
  times: LeaseTimes,
  nowMs: number,
  kept: { readonly acquireTime?: string | null; readonly leaseTransitions: number },
): LeaseSpec {
  const now = formatMicroTime(nowMs);
  return {
    holderIdentity: identity,
    leaseDurationSeconds: times.leaseDurationMs / 1000,
    acquireTime: kept.acquireTime ?? now,
    renewTime: now,
    leaseTransitions: kept.leaseTransitions,
  };
}
