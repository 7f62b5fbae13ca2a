import type { ChangeRecord } from '@slipway/runtime';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ref } from './manifests.js';
import { available } from './situations.js';
import { startWorld, type World } from './world.js';

let world: World;
const records: ChangeRecord[] = [];
const namespace = 'feed';

beforeAll(async () => {
  world = await startWorld();
  world.feed.subscribe((record) => void records.push(record));
});
afterAll(() => world?.stop());

it('has one record with a reason for every write that the API server carried out for a controller', async () => {
  const cluster = await available(world, { name: 'demo', namespace });
  await world.merge(ref('MachineDeployment', namespace, 'demo-workers'), { spec: { replicas: 3 } });
  await world.pass(60_000);
  await world.remove(cluster);
  await world.pass(120_000);
  const published = new Map<string, number>();
  // A request that the server accepted and that changed nothing is a write too; its record says `unchanged`.
  const made = records.filter(
    ({ verb, result, cluster: on }) => verb !== 'call' && result !== 'failed' && on === undefined,
  );
  for (const { object } of made) published.set(object.kind, (published.get(object.kind) ?? 0) + 1);
  const total = (counts: ReadonlyMap<string, number>): number =>
    [...counts.values()].reduce((sum, count) => sum + count, 0);
  expect(total(published)).toBe(total(world.served));
  expect(total(published)).toBeGreaterThan(100);
  expect(records.filter(({ reason, message }) => !/^[A-Z][A-Za-z0-9]+$/.test(reason) || message === '')).toEqual([]);
});
