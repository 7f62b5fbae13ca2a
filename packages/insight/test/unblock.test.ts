import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carryOutUnblock, clusterNameOf, findByArguments, findObject, planUnblock, readObject } from '../src/index.js';
import { unblockedAnnotation } from '../src/unblock/index.js';
import { ref } from './manifests.js';
import { available, isWorker, one, untilCondition } from './situations.js';
import { startWorld, type World } from './world.js';

let world: World;
const namespace = 'stuck';
const hold = 'example.com/hold';

beforeAll(async () => {
  world = await startWorld();
  await available(world, { name: 'demo', namespace });
});
afterAll(() => world?.stop());

describe('unblock', () => {
  it('rejects an object that is not being deleted', async () => {
    const { object } = await findByArguments(world.client, { type: 'cluster', name: 'demo' }, namespace);
    const set = await readObject(world.client, object, 'demo');
    expect(() => planUnblock(set, object)).toThrow('Cluster stuck/demo is not being deleted');
  });

  it('reports the leaks, records an event and removes the finalizers', async () => {
    const machine = await one(world, 'Machine', namespace, isWorker);
    const target = ref('DevMachine', namespace, machine.name);
    const { metadata } = await world.get(target);
    await world.merge(target, { metadata: { finalizers: [...(metadata.finalizers ?? []), hold] } });
    await world.remove(machine);
    await untilCondition(world, machine, 'Deleting', 'True', 'WaitingForInfrastructureDeletion');
    const { resource, object } = await findByArguments(
      world.client,
      { type: 'devmachine', name: machine.name },
      namespace,
    );
    const set = await readObject(world.client, object, clusterNameOf(object));
    expect(() => planUnblock(set, object, ['other'])).toThrow('has no finalizer other');
    const plan = planUnblock(set, object);
    expect(plan).toMatchObject({
      finalizers: [hold],
      kept: [],
      leaks: [{ what: `the virtual machine in-memory://${machine.name}` }],
    });

    const nowMs = world.clock.now();
    await carryOutUnblock(world.client, resource, object, plan, { by: 'jane', why: 'the host is gone', nowMs });
    await world.pass(30_000);
    expect(await findObject(world.client, target)).toBeUndefined();
    expect(await findObject(world.client, machine)).toBeUndefined();
    const after = await readObject(world.client, await world.get(ref('Cluster', namespace, 'demo')), 'demo');
    expect(after.eventsOf(target)).toContainEqual(
      expect.objectContaining({
        type: 'Warning',
        reason: 'Unblocked',
        message: `Finalizers ${hold} removed by jane: the host is gone`,
      }),
    );
  });

  it('writes down who did it on an object that stays, and does nothing when that has changed meanwhile', async () => {
    const cluster = ref('Cluster', namespace, 'demo');
    await world.merge(cluster, { metadata: { finalizers: ['cluster.cluster.x-k8s.io', hold, 'example.com/other'] } });
    await world.merge(ref('DevCluster', namespace, 'demo'), { metadata: { finalizers: [hold] } });
    await world.remove(cluster);
    await world.pass(20_000);
    const found = await findByArguments(world.client, { type: 'clusters', name: 'demo' }, namespace);
    const plan = planUnblock(await readObject(world.client, found.object, 'demo'), found.object, [hold]);
    expect(plan.kept).toContain('example.com/other');
    expect(plan.leaks.map(({ what }) => what)).toContainEqual(expect.stringContaining('load balancer'));
    const record = { by: 'jane', why: 'no use', nowMs: world.clock.now() };
    const stale = { ...plan, resourceVersion: '1' };
    await expect(carryOutUnblock(world.client, found.resource, found.object, stale, record)).rejects.toThrow(
      /object has been modified|Conflict/,
    );
    await world.pass(20_000);
    const again = await findByArguments(world.client, { type: 'cl', name: 'demo' }, namespace);
    const fresh = planUnblock(await readObject(world.client, again.object, 'demo'), again.object, [hold]);
    await carryOutUnblock(world.client, again.resource, again.object, fresh, { ...record, nowMs: world.clock.now() });
    const { metadata } = await world.get(cluster);
    expect(metadata.finalizers).not.toContain(hold);
    expect(JSON.parse(metadata.annotations?.[unblockedAnnotation] ?? '{}')).toMatchObject({
      by: 'jane',
      why: 'no use',
      finalizers: [hold],
    });
  });
});
