/**
 * The only source of time. Production code never calls Date.now(), setTimeout() or setInterval(): the simulation runs
 * the same code in virtual time, and a single stray timer would make a seed unrepeatable.
 */
export interface Clock {
  /** Wall-clock time in milliseconds since the epoch. It may jump. Use it for timestamps that leave the process. */
  now(): number;
  /** Monotonic time in milliseconds. Use it for durations, deadlines and back-off. */
  monotonic(): number;
  /** Calls `callback` once after `ms`. Cancelling a timer that has fired has no effect. */
  setTimer(ms: number, callback: () => void): Timer;
}

export interface Timer {
  cancel(): void;
}

export interface SleepOptions {
  readonly signal?: AbortSignal;
}

/** Resolves after `ms`, or rejects with the signal's reason. */
export function sleep(clock: Clock, ms: number, options: SleepOptions = {}): Promise<void> {
  const { signal } = options;
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(signal.reason as Error);
      return;
    }
    const onAbort = (): void => {
      timer.cancel();
      reject(signal?.reason as Error);
    };
    const timer = clock.setTimer(ms, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
