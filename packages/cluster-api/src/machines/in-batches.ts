import { FencedError, joinOutcomes, type Outcome, retry } from '@slipway/runtime';

/** Large enough to keep a server busy, small enough to limit the number of failures before a stop. */
const batchSize = 10;

/**
 * Processes items in concurrent batches. If one fails, the rest of its batch still completes. Later batches are skipped with
 * `stop`, and processed with `continue`. All failures are thrown.
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
