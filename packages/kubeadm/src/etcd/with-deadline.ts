import type { Clock } from '@slipway/base';
import { LinkedSignal } from '@slipway/runtime';

/** Runs work that has to end in time. Whatever it holds it lets go when its signal aborts. */
export async function withDeadline<T>(
  clock: Clock,
  ms: number,
  timedOut: () => Error,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const linked = new LinkedSignal(signal);
  const timer = clock.setTimer(ms, () => linked.abort(timedOut()));
  try {
    linked.signal.throwIfAborted();
    return await Promise.race([work(linked.signal), rejection(linked.signal)]);
  } finally {
    timer.cancel();
    linked.release();
  }
}

function rejection(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
