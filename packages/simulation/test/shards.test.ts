import { expect, it } from 'vitest';
import { simulateShards } from '../src/shards/simulate-shards.js';

it('balances clusters, and takes over the shards of a killed manager', { timeout: 300_000 }, async () => {
  const result = await simulateShards({ seed: 1, clusters: 1_200, managers: 3, shards: 12 });
  expect(result.clusters).toHaveLength(3);
  expect(result.clusters.reduce((sum, count) => sum + count, 0)).toBe(1_200);
  expect(Math.max(...result.clusters)).toBeLessThan(600);
  // A takeover waits for the lease to expire: it lasts 15 s and is checked about every two seconds.
  expect(result.takeoverMs).toBeGreaterThan(5_000);
  expect(result.takeoverMs).toBeLessThan(25_000);
  expect(result.moved).toBeGreaterThanOrEqual(4);
});
