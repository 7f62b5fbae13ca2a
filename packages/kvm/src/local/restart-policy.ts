/** When to restart a machine that ended. */
export type RestartDecision =
  | { readonly type: 'now' }
  | { readonly type: 'later'; readonly ms: number }
  | { readonly type: 'never'; readonly starts: number };

const firstDelayMs = 1_000;
const lastDelayMs = 60_000;
const windowMs = 600_000;
const startsMax = 6;

/**
 * Decides when a machine restarts, with exponential backoff. A machine that ends more than five times in ten minutes is not
 * restarted.
 */
export function decideRestart(starts: readonly number[], nowMs: number): RestartDecision {
  const recent = recentStarts(starts, nowMs);
  if (recent.length >= startsMax) return { type: 'never', starts: recent.length };
  const last = recent.at(-1);
  if (last === undefined) return { type: 'now' };
  const delayMs = Math.min(lastDelayMs, firstDelayMs * 2 ** (recent.length - 1));
  const leftMs = last + delayMs - nowMs;
  return leftMs <= 0 ? { type: 'now' } : { type: 'later', ms: leftMs };
}

export function recentStarts(starts: readonly number[], nowMs: number): number[] {
  return starts.filter((start) => start > nowMs - windowMs);
}
