import type { ChangeRecord } from '@slipway/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ref } from './manifests.js';
import { available } from './situations.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

let plane: SimulatedPlane;
const records: ChangeRecord[] = [];
const namespace = 'feed';

beforeAll(async () => {
  plane = await startSimulatedPlane();
  plane.feed.subscribe((record) => void records.push(record));
});
afterAll(() => plane?.stop());

it('the change feed has one record with a reason for every write of a controller that the API server executed', async () => {
  const cluster = await available(plane, { name: 'demo', namespace });
  await plane.merge(ref('MachineDeployment', namespace, 'demo-workers'), { spec: { replicas: 3 } });
  await plane.advance(60_000);
  await plane.remove(cluster);
  await plane.advance(120_000);
  const published = new Map<string, number>();
  // An accepted request that changed nothing also counts as a write; its record is marked `unchanged`.
  const made = records.filter(
    ({ verb, result, cluster: on }) => verb !== 'call' && result !== 'failed' && on === undefined,
  );
  for (const { object } of made) published.set(object.kind, (published.get(object.kind) ?? 0) + 1);
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(total(published)).toBe(total(plane.served));
  expect(total(published)).toBeGreaterThan(100);
  expect(records.filter(({ reason, message }) => !/^[A-Z][A-Za-z0-9]+$/.test(reason) || message === '')).toEqual([]);
});
