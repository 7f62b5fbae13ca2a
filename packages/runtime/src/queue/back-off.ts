import type { Random } from '@slipway/base';

export interface BackOffOptions {
  readonly firstMs: number;
  readonly lastMs: number;
  /** The fraction of a delay that is randomized, so that keys which failed together are not retried together. */
  readonly jitter: number;
}

export const backOffDefault: BackOffOptions = { firstMs: 5, lastMs: 60_000, jitter: 0.2 };

/**
 * Returns the delay before a retry. `failures` is the number of earlier failures, 0 for the first retry. The delay doubles up to
 * a maximum.
 */
export function backOffMs(failures: number, options: BackOffOptions, random: Random): number {
  // Limit the exponent: 2^31 ms exceeds every sensible maximum, and a larger power could become infinite.
  const full = Math.min(options.firstMs * 2 ** Math.min(failures, 31), options.lastMs);
  return full * (1 - options.jitter * random.next());
}
