import type { Clock } from '@slipway/base';

/** Runs `work` with a signal that aborts after `ms`, or when `outer` aborts. */
export async function within<T>(
  clock: Clock,
  ms: number,
  message: string,
  work: (signal: AbortSignal) => Promise<T>,
  outer?: AbortSignal,
): Promise<T> {
  const limit = new AbortController();
  const timer = clock.setTimer(ms, () => limit.abort(new Error(message)));
  const onAbort = (): void => limit.abort(outer?.reason);
  outer?.addEventListener('abort', onAbort, { once: true });
  if (outer?.aborted === true) onAbort();
  try {
    return await work(limit.signal);
  } finally {
    timer.cancel();
    outer?.removeEventListener('abort', onAbort);
  }
}
