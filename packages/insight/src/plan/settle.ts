import { systemClock, type VirtualClock } from '@slipway/base';
import type { Activity } from './activity.js';

export interface SettleLimits {
  /** Of simulated time without any change, after which nothing more is expected. */
  readonly quietMs: number;
  /** Of simulated time altogether. */
  readonly horizonMs: number;
  /** Of the user's time. */
  readonly patienceMs: number;
}

export interface Settled {
  readonly outcome: 'settled' | 'horizon' | 'patience';
  readonly simulatedMs: number;
}

export interface SettleOptions {
  readonly clock: VirtualClock;
  readonly activity: Activity;
  /** A number that grows with every change. */
  readonly revision: () => number;
  /** Asked when all is quiet: whether something is still under way, which only needs time. */
  readonly isPending: () => boolean;
  readonly limits: SettleLimits;
  readonly signal?: AbortSignal;
}

/** Lets time pass, from one thing that is due to the next, until nothing changes any more. */
export async function settle(options: SettleOptions): Promise<Settled> {
  const { clock, limits, signal } = options;
  const startedAt = clock.now();
  const realStart = systemClock.monotonic();
  let [seen, changedAt] = [options.revision(), startedAt];
  for (;;) {
    signal?.throwIfAborted();
    await untilIdle(options);
    const now = clock.now();
    if (options.revision() !== seen) [seen, changedAt] = [options.revision(), now];
    const simulatedMs = now - startedAt;
    if (now - changedAt >= limits.quietMs && !options.isPending()) return { outcome: 'settled', simulatedMs };
    if (simulatedMs >= limits.horizonMs) return { outcome: 'horizon', simulatedMs };
    if (systemClock.monotonic() - realStart >= limits.patienceMs) return { outcome: 'patience', simulatedMs };
    await clock.advance(Math.min(clock.nextTimerMs() ?? limits.quietMs, limits.quietMs));
  }
}

/** Signatures and keys take real time; whoever still works after this waits for a time that is to come. */
const workMs = 50;

async function untilIdle({ activity, revision }: SettleOptions): Promise<void> {
  let since = systemClock.monotonic();
  let seen = revision();
  for (let quietTurns = 0; quietTurns < 2; ) {
    await turn();
    if (revision() !== seen) {
      [seen, since, quietTurns] = [revision(), systemClock.monotonic(), 0];
    } else if (activity.isIdle || systemClock.monotonic() - since > workMs) {
      quietTurns += 1;
    }
  }
}

/** A turn of the event loop: every promise that is ready goes on. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
