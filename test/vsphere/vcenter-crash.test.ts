import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import { type Client, composeControllers, createManager, selectControllers } from '@slipway/runtime';
import { createVCenter, vsphereMachines, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { namespace, VCenterWorld } from './vcenter-world.js';

/** A client that dies at one of its writes, just before the server sees it or just after, and does nothing from then on. */
class DyingClient {
  readonly died: Promise<'died'>;
  readonly client: Client;

  constructor(client: Client, at: number, when: 'before' | 'after') {
    let die = (_word: 'died'): void => undefined;
    this.died = new Promise((resolve) => (die = resolve));
    let writes = 0;
    const crash = (): never => {
      die('died');
      throw new Error('this process is dead');
    };
    this.client = new Proxy(client, {
      get(target, name) {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        const call = member.bind(target) as (...args: unknown[]) => Promise<KubeObject>;
        if (name !== 'create' && name !== 'patch' && name !== 'update' && name !== 'delete') return call;
        return async (...args: unknown[]) => {
          writes += 1;
          if (writes > at || (writes === at && when === 'before')) crash();
          const last = writes === at;
          const result = await call(...args);
          return last ? crash() : result;
        };
      },
    });
  }
}

let world: VCenterWorld;
beforeAll(async () => {
  world = await VCenterWorld.start();
  await createCluster(world, 'prod');
  await provisionCluster(world, 'prod');
});
afterAll(() => world.stop());

/** A manager with a memory of its own lives until the state is reached, or dies on the way. */
async function live(dying: DyingClient, reached: Promise<unknown>): Promise<'died' | 'done'> {
  const scope = new Scope();
  const mode = createVCenter();
  scope.defer(() => mode.dispose());
  const common = { client: dying.client, clock: systemClock, random: systemRandom, logger: silentLogger };
  const chosen = selectControllers([mode.controllers], {});
  const composition = scope.add(composeControllers({ ...common, chosen, connect: world.dev.connect }));
  const { controllers, sources } = composition;
  const manager = createManager({ name: 'mortal', ...common, sources, controllers });
  scope.defer(() => manager.stop());
  await manager.start();
  const end = await Promise.race([dying.died, reached.then(() => 'done' as const)]);
  await scope.dispose();
  return end;
}

const ready = (name: string): Promise<unknown> => world.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
const gone = (name: string): Promise<unknown> => world.untilNone(vsphereMachines, name);

/** A healthy manager goes on where the other one died. */
async function recover(reached: Promise<unknown>): Promise<void> {
  await world.startControllers();
  await reached;
  await world.stopControllers();
}

describe('vsphere 5, 6: a manager that dies', () => {
  it.each(['before', 'after'] as const)(
    '%s any of its writes makes one machine, and leaves none',
    async (when) => {
      await world.stopControllers();
      let deaths = 0;
      for (let at = 1, ends: string[] = ['died']; ends.includes('died'); at += 1) {
        const name = `crash-${when}-${at}`;
        await createMachine(world, name, { cluster: 'prod' });
        const made = await live(new DyingClient(world.client, at, when), ready(name));
        await recover(ready(name));
        expect(await world.machineNames()).toEqual([name]);
        await world.client.delete(vsphereMachines, { namespace, name });
        const removed = await live(new DyingClient(world.client, at, when), gone(name));
        await recover(gone(name));
        expect(await world.machineNames()).toEqual([]);
        ends = [made, removed];
        deaths += ends.filter((end) => end === 'died').length;
      }
      // Finalizers, the VSphereVM, tasks, states: as many moments as there are writes in the life of a machine.
      expect(deaths).toBeGreaterThan(12);
      await world.startControllers();
    },
    600_000,
  );
});
