import { sleep, systemClock, type VirtualClock } from '@slipway/base';
import type { Activity } from './activity.js';

export interface SettleLimits {
  /** Simulated time without changes after which the simulation ends. */
  readonly quietMs: number;
  /** Maximum simulated time. */
  readonly horizonMs: number;
  /** Maximum real time. */
  readonly timeoutMs: number;
}

export interface Settled {
  readonly outcome: 'settled' | 'horizon' | 'timeout';
  readonly simulatedMs: number;
}

export interface SettleOptions {
  readonly clock: VirtualClock;
  readonly activity: Activity;
  /** A counter that grows with every write. */
  readonly revision: () => number;
  /** A counter that grows with every change that counts as progress. Renewals of bootstrap tokens do not: they never end. */
  readonly progress: () => number;
  /** Called when nothing changes. Returns whether work is in progress that only needs time. */
  readonly isPending: () => boolean;
  readonly limits: SettleLimits;
  readonly onProgress?: (simulatedMs: number) => void;
  readonly signal?: AbortSignal;
}

/** Advances simulated time from timer to timer until nothing changes. */
export async function settle(options: SettleOptions): Promise<Settled> {
  const { clock, limits, signal } = options;
  const startedAt = clock.now();
  const realStart = systemClock.monotonic();
  let [seen, changedAt] = [options.progress(), startedAt];
  for (;;) {
    signal?.throwIfAborted();
    await untilIdle(options);
    const now = clock.now();
    if (options.progress() !== seen) [seen, changedAt] = [options.progress(), now];
    const simulatedMs = now - startedAt;
    options.onProgress?.(simulatedMs);
    if (now - changedAt >= limits.quietMs && !options.isPending()) return { outcome: 'settled', simulatedMs };
    if (simulatedMs >= limits.horizonMs) return { outcome: 'horizon', simulatedMs };
    if (systemClock.monotonic() - realStart >= limits.timeoutMs) return { outcome: 'timeout', simulatedMs };
    await clock.advance(Math.min(clock.nextTimerMs() ?? limits.quietMs, limits.quietMs));
  }
}

/**
 * Signatures and key generation take real time. A controller that is still busy after this time without writes is waiting for a
 * timer.
 */
const workMs = 50;
const pollMs = 2;

async function untilIdle({ activity, revision }: SettleOptions): Promise<void> {
  let since = systemClock.monotonic();
  let seen = revision();
  for (let quietTurns = 0; quietTurns < 2; ) {
    await turn();
    if (activity.isWaiting) {
      [since, quietTurns] = [systemClock.monotonic(), 0];
      await sleep(systemClock, pollMs);
    } else if (revision() !== seen) {
      [seen, since, quietTurns] = [revision(), systemClock.monotonic(), 0];
    } else if (activity.isIdle || systemClock.monotonic() - since > workMs) {
      quietTurns += 1;
    }
  }
}

/** Waits for one turn of the event loop, in which settled promises continue. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
