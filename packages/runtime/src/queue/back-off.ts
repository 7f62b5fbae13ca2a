import type { Random } from '@slipway/base';

export interface BackOffOptions {
  readonly firstMs: number;
  readonly lastMs: number;
  /** The part of a delay that chance may take away, so that keys which failed together do not come back together. */
  readonly jitter: number;
}

export const backOffDefault: BackOffOptions = { firstMs: 5, lastMs: 60_000, jitter: 0.2 };

/** The delay before retry number `failures` (0 for the first). It doubles up to the last and never exceeds it. */
export function backOffMs(failures: number, options: BackOffOptions, random: Random): number {
  // 2^31 ms is beyond every sensible maximum; without the bound the power would overflow to infinity times zero.
  const full = Math.min(options.firstMs * 2 ** Math.min(failures, 31), options.lastMs);
  return full * (1 - options.jitter * random.next());
}
