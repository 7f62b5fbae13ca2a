import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { carryOutUnblock, clusterNameOf, findByArguments, findObject, planUnblock, readObject } from '../src/index.js';
import { unblockedAnnotation } from '../src/unblock/index.js';
import { ref } from './manifests.js';
import { available, isWorker, firstOf, untilCondition } from './situations.js';
import { startSimulatedPlane, type SimulatedPlane } from './simulated-plane.js';

let plane: SimulatedPlane;
const namespace = 'stuck';
const hold = 'example.com/hold';

beforeAll(async () => {
  plane = await startSimulatedPlane();
  await available(plane, { name: 'demo', namespace });
});
afterAll(() => plane?.stop());

describe('unblock', () => {
  it('rejects an object that is not being deleted', async () => {
    const { object } = await findByArguments(plane.client, { type: 'cluster', name: 'demo' }, namespace);
    const set = await readObject(plane.client, object, 'demo');
    expect(() => planUnblock(set, object)).toThrow('Cluster stuck/demo is not being deleted');
  });

  it('reports the leaks, records an event and removes the finalizers', async () => {
    const machine = await firstOf(plane, 'Machine', namespace, isWorker);
    const target = ref('DevMachine', namespace, machine.name);
    const { metadata } = await plane.get(target);
    await plane.merge(target, { metadata: { finalizers: [...(metadata.finalizers ?? []), hold] } });
    await plane.remove(machine);
    await untilCondition(plane, machine, 'Deleting', 'True', 'WaitingForInfrastructureDeletion');
    const { resource, object } = await findByArguments(
      plane.client,
      { type: 'devmachine', name: machine.name },
      namespace,
    );
    const set = await readObject(plane.client, object, clusterNameOf(object));
    expect(() => planUnblock(set, object, ['other'])).toThrow('has no finalizer other');
    const plan = planUnblock(set, object);
    expect(plan).toMatchObject({
      finalizers: [hold],
      kept: [],
      leaks: [{ what: `the virtual machine in-memory://${machine.name}` }],
    });

    const nowMs = plane.clock.now();
    await carryOutUnblock(plane.client, resource, object, plan, { by: 'jane', why: 'the host is gone', nowMs });
    await plane.advance(30_000);
    expect(await findObject(plane.client, target)).toBeUndefined();
    expect(await findObject(plane.client, machine)).toBeUndefined();
    const after = await readObject(plane.client, await plane.get(ref('Cluster', namespace, 'demo')), 'demo');
    expect(after.eventsOf(target)).toContainEqual(
      expect.objectContaining({
        type: 'Warning',
        reason: 'Unblocked',
        message: `Finalizers ${hold} removed by jane: the host is gone`,
      }),
    );
  });

  it('records the user on an object that remains, and fails if the object has changed since the plan', async () => {
    const cluster = ref('Cluster', namespace, 'demo');
    await plane.merge(cluster, { metadata: { finalizers: ['cluster.cluster.x-k8s.io', hold, 'example.com/other'] } });
    await plane.merge(ref('DevCluster', namespace, 'demo'), { metadata: { finalizers: [hold] } });
    await plane.remove(cluster);
    await plane.advance(20_000);
    const found = await findByArguments(plane.client, { type: 'clusters', name: 'demo' }, namespace);
    const plan = planUnblock(await readObject(plane.client, found.object, 'demo'), found.object, [hold]);
    expect(plan.kept).toContain('example.com/other');
    expect(plan.leaks.map(({ what }) => what)).toContainEqual(expect.stringContaining('load balancer'));
    const record = { by: 'jane', why: 'no use', nowMs: plane.clock.now() };
    const stale = { ...plan, resourceVersion: '1' };
    await expect(carryOutUnblock(plane.client, found.resource, found.object, stale, record)).rejects.toThrow(
      /object has been modified|Conflict/,
    );
    await plane.advance(20_000);
    const again = await findByArguments(plane.client, { type: 'cl', name: 'demo' }, namespace);
    const fresh = planUnblock(await readObject(plane.client, again.object, 'demo'), again.object, [hold]);
    await carryOutUnblock(plane.client, again.resource, again.object, fresh, { ...record, nowMs: plane.clock.now() });
    const { metadata } = await plane.get(cluster);
    expect(metadata.finalizers).not.toContain(hold);
    expect(JSON.parse(metadata.annotations?.[unblockedAnnotation] ?? '{}')).toMatchObject({
      by: 'jane',
      why: 'no use',
      finalizers: [hold],
    });
  });
});
