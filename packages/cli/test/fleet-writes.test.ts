import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Contender, startSlipway } from '../../../bench/clusters/slipway.js';
import { countWrites } from '../../../bench/clusters/write-count.js';

let slipway: Contender;

beforeAll(async () => {
  slipway = await startSlipway();
});
afterAll(() => slipway?.stop());

it('reports every write of a benchmark run in the change feed, with a reason', async () => {
  const { stored, recorded, unexplained } = await countWrites(slipway.client, 2, 100_000);
  expect(recorded).toBe(stored);
  expect(recorded).toBeGreaterThan(100);
  expect(unexplained).toBe(0);
});
