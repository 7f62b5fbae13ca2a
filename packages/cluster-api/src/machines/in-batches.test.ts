import { FencedError } from '@slipway/runtime';
import { describe, expect, it } from 'vitest';
import { inBatches } from './in-batches.js';

const numbers = Array.from({ length: 25 }, (_, index) => index);

describe('inBatches', () => {
  it('processes all items, at most ten concurrently', async () => {
    let [running, most, ran] = [0, 0, 0];
    const outcome = await inBatches(numbers, 'stop', async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
      ran += 1;
    });
    expect([most, ran, outcome.type]).toEqual([10, 25, 'done']);
  });

  const rows = [
    { onError: 'stop', ran: 20 },
    { onError: 'continue', ran: 25 },
  ] as const;
  it.each(rows)('handles a failure according to onError: $onError', async ({ onError, ran }) => {
    let count = 0;
    const outcome = await inBatches(numbers, onError, async (number) => {
      count += 1;
      if (number === 12 || number === 15) throw new Error(`no ${number}`);
    });
    expect([count, outcome]).toMatchObject([ran, { type: 'retry', error: { message: 'no 12; no 15' } }]);
  });

  it('stops immediately when this process is fenced', async () => {
    const lost = inBatches(numbers, 'continue', async () => {
      throw new FencedError('lost');
    });
    await expect(lost).rejects.toThrow(FencedError);
  });
});
