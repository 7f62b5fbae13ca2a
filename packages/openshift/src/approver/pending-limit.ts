import type { Frozen } from '@slipway/kube';
import type { CertificateSigningRequest } from '@slipway/runtime';
import { createdMsOf, isPending } from './event-filter.js';
import { clockSkewMs } from './names.js';

/** Age from which requests are considered abandoned and are not counted. */
const pendingMs = 3_600_000;
/** Number of pending requests allowed in addition to one for each machine. */
const allowance = 100;

export interface PendingLimit {
  readonly pending: number;
  readonly max: number;
  /** Whether too many requests are pending. No request is approved then, until the number decreases. */
  readonly isExceeded: boolean;
  /** Time until enough requests are old enough not to be counted. Only set while the limit is exceeded. */
  readonly recoversInMs: number;
}

/**
 * Returns whether too many requests are pending, which indicates a fault or an attack. Approvals then require an administrator.
 */
export function pendingLimit(
  requests: Iterable<Frozen<CertificateSigningRequest>>,
  counts: { readonly machines: number; readonly nodes: number },
  nowMs: number,
): PendingLimit {
  const created: number[] = [];
  for (const request of requests) {
    const createdMs = createdMsOf(request);
    const isRecent = createdMs > nowMs - pendingMs && createdMs < nowMs + clockSkewMs;
    if (isRecent && isPending(request, nowMs)) created.push(createdMs);
  }
  const max = Math.max(counts.machines, counts.nodes) + allowance;
  const excess = created.length - max;
  const lastTooMany = created.sort((left, right) => left - right)[excess - 1];
  return {
    pending: created.length,
    max,
    isExceeded: excess > 0,
    recoversInMs: lastTooMany === undefined ? 0 : lastTooMany + pendingMs - nowMs,
  };
}
