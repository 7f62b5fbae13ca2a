import type { Frozen } from '@slipway/kube';
import type { CertificateSigningRequest } from '@slipway/runtime';
import { createdMsOf, isPending } from './event-filter.js';
import { clockSkewMs } from './names.js';

/** Requests that are older were given up by whoever made them. */
const pendingMs = 3_600_000;
/** How many may wait beyond one for each machine. */
const allowance = 100;

export interface PendingLimit {
  readonly pending: number;
  readonly max: number;
  /** Too many wait: nothing is approved until the number falls. */
  readonly isExceeded: boolean;
  /** When so many have become too old that it falls by itself; only while it is exceeded. */
  readonly recoversInMs: number;
}

/** A flood of requests is a sign that something is wrong: then nobody gets a certificate without a person. */
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
