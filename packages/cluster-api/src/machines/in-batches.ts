import { FencedError, joinOutcomes, type Outcome, retry } from '@slipway/runtime';

/** Enough to keep a server busy, few enough that a failure that hits all is told only so often. */
const batchSize = 10;

/**
 * Does something for each item, several at a time. When one fails the others of its batch are still done; what comes after is
 * not begun with `stop`, and is with `continue`. Every failure counts.
 */
export async function inBatches<T>(
  items: readonly T[],
  onError: 'stop' | 'continue',
  run: (item: T) => Promise<void>,
): Promise<Outcome> {
  const failures: Outcome[] = [];
  for (let start = 0; start < items.length; start += batchSize) {
    const settled = await Promise.allSettled(items.slice(start, start + batchSize).map(run));
    for (const result of settled) {
      if (result.status === 'fulfilled') continue;
      const error: unknown = result.reason;
      if (error instanceof FencedError) throw error;
      failures.push(retry(error instanceof Error ? error : new Error(String(error), { cause: error })));
    }
    if (failures.length > 0 && onError === 'stop') break;
  }
  return joinOutcomes(failures);
}
