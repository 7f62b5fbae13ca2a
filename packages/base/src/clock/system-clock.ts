import type { Clock } from './clock.js';

/** Real time. Timers do not keep the process alive: whoever owns the process decides when it ends. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms, callback) {
    // Node fires timers above 2^31-1 ms at once; a far deadline is as good as the farthest one.
    const handle = setTimeout(callback, Math.min(Math.max(ms, 0), 2_147_483_647));
    handle.unref();
    return { cancel: () => clearTimeout(handle) };
  },
};
