import type { Clock } from './clock.js';

/** Real time. Timers do not keep the process alive: the owner of the process decides when it exits. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms, callback) {
    // Node fires timers above 2^31-1 ms immediately, so longer delays are capped.
    const handle = setTimeout(callback, Math.min(Math.max(ms, 0), 2_147_483_647));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};
