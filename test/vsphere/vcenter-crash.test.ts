import { silentLogger, systemClock, systemRandom } from '@slipway/base';
import { clusters } from '@slipway/cluster-api';
import type { KubeObject } from '@slipway/kube';
import {
  type Client,
  type ClusterCache,
  InformerFactory,
  informerSources,
  type ReconcileContext,
  type Resource,
  type Sources,
} from '@slipway/runtime';
import { SessionPool, vsphereMachines, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { reconcileVSphereVm } from '../../packages/vsphere/src/vcenter/vm/reconcile.js';
import { VmWatches } from '../../packages/vsphere/src/vcenter/vm/vm-watches.js';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { namespace, VCenterWorld } from './vcenter-world.js';

class Crash extends Error {}

/** A client that dies at one of its writes: just before the server sees it, or just after. */
function dyingClient(client: Client, at: number, when: 'before' | 'after'): Client {
  let writes = 0;
  return new Proxy(client, {
    get(target, name) {
      const member = Reflect.get(target, name) as (...args: unknown[]) => Promise<KubeObject>;
      if (name !== 'create' && name !== 'patch' && name !== 'delete') return member.bind(target);
      return async (...args: unknown[]) => {
        writes += 1;
        if (writes === at && when === 'before') throw new Crash();
        const result = await member.apply(target, args);
        if (writes === at) throw new Crash();
        return result;
      };
    },
  });
}

let world: VCenterWorld;
let sources: Sources;
const stop = new AbortController();

beforeAll(async () => {
  world = await VCenterWorld.start();
  await createCluster(world, 'prod');
  await provisionCluster(world, 'prod');
  const factory = new InformerFactory({
    client: world.client,
    clock: systemClock,
    random: systemRandom,
    logger: silentLogger,
  });
  sources = informerSources(factory);
  sources.sourceFor(vsphereVms);
  sources.start();
});
afterAll(async () => {
  stop.abort();
  await sources.stop();
  await world.stop();
});

/** A process with a memory of its own: it looks at one VSphereVM again and again until it has what it wants, or dies. */
async function live(name: string, client: Client, done: () => Promise<boolean>): Promise<'done' | 'crashed'> {
  const sessions = new SessionPool({ clock: systemClock, logger: silentLogger });
  const watches = new VmWatches();
  const controller = {
    world: {
      sessions,
      managerCredentials: async () => undefined,
      controllerNamespace: 'capv-system',
      nodeAntiAffinity: false,
    },
    watches,
    workloads: { connectedClient: () => undefined } as unknown as ClusterCache,
  };
  const key = { namespace, name };
  try {
    for (let pass = 0; pass < 400; pass += 1) {
      for (const resource of [vsphereVms, vsphereMachines, clusters] as Resource[])
        await sources.syncedFor(resource, stop.signal);
      let wake = (): void => undefined;
      const woken = new Promise<void>((resolve) => (wake = resolve));
      const events = sources.sourceFor(vsphereVms).subscribe(({ isInitial }) => {
        if (!isInitial) wake();
      });
      const context = {
        client,
        sources,
        clock: systemClock,
        random: systemRandom,
        logger: silentLogger,
        signal: stop.signal,
        enqueue: () => wake(),
      } as unknown as ReconcileContext;
      const outcome = await reconcileVSphereVm(key, context, controller);
      if (outcome.type === 'retry' && outcome.error instanceof Crash) return 'crashed';
      if (await done()) return 'done';
      await Promise.race([woken, new Promise((resolve) => setTimeout(resolve, 100))]);
      await events.dispose();
    }
    throw new Error(`nothing came of ${name}`);
  } catch (error) {
    if (error instanceof Crash) return 'crashed';
    throw error;
  } finally {
    watches.dispose();
    await sessions.dispose();
  }
}

describe('vsphere 5, 6: a manager that dies', () => {
  const moments = [1, 2, 3, 4, 5, 6, 7, 8].flatMap((at) => [
    { at, when: 'before' as const },
    { at, when: 'after' as const },
  ]);
  it.each(moments)('$when its write number $at makes one machine, and leaves none', async ({ at, when }) => {
    const name = `crash-${at}-${when}`;
    await createMachine(world, name, { cluster: 'prod' });
    await world.untilOne(vsphereVms, name, () => true);
    await world.stopControllers();
    const ready = async (): Promise<boolean> => (await world.get(vsphereVms, name)).status?.ready === true;
    await live(name, dyingClient(world.client, at, when), ready);
    await live(name, world.client, ready);
    expect((await world.machineNames()).filter((one) => one === name)).toEqual([name]);
    // Nobody is to make it again.
    await world.client.delete(vsphereMachines, { namespace, name });
    await world.client.delete(vsphereVms, { namespace, name });
    const gone = async (): Promise<boolean> =>
      (await world.list(vsphereVms)).every(({ metadata }) => metadata.name !== name);
    await live(name, dyingClient(world.client, at, when), gone);
    await live(name, world.client, gone);
    expect(await world.machineNames()).toEqual([]);
    await world.startControllers();
    await world.untilNone(vsphereMachines as Resource, name);
  });
});
