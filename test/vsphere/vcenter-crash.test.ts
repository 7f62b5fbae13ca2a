import { Scope, silentLogger, systemClock, systemRandom } from '@slipway/base';
import type { KubeObject } from '@slipway/kube';
import { type Client, composeControllers, createManager, selectControllers } from '@slipway/runtime';
import { createVCenter, vsphereMachines, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { namespace, VCenterEnvironment } from './vcenter-environment.js';

/** A client that fails at one of its writes, just before or just after the server processes it, and then stops. */
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

let environment: VCenterEnvironment;
beforeAll(async () => {
  environment = await VCenterEnvironment.start();
  await createCluster(environment, 'prod');
  await provisionCluster(environment, 'prod');
});
afterAll(() => environment.stop());

/** Runs a manager with empty caches until the state is reached or it crashes. */
async function live(dying: DyingClient, reached: Promise<unknown>): Promise<'died' | 'done'> {
  const scope = new Scope();
  const mode = createVCenter();
  scope.defer(() => mode.dispose());
  const common = { client: dying.client, clock: systemClock, random: systemRandom, logger: silentLogger };
  const chosen = selectControllers([mode.controllers], {});
  const composition = scope.add(composeControllers({ ...common, chosen, connect: environment.dev.connect }));
  const { controllers, sources } = composition;
  const manager = createManager({ name: 'mortal', ...common, sources, controllers });
  scope.defer(() => manager.stop());
  await manager.start();
  const end = await Promise.race([dying.died, reached.then(() => 'done' as const)]);
  await scope.dispose();
  return end;
}

const ready = (name: string): Promise<unknown> => environment.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
const gone = (name: string): Promise<unknown> => environment.untilNone(vsphereMachines, name);

/** Starts a new manager, which continues where the other one crashed. */
async function recover(reached: Promise<unknown>): Promise<void> {
  await environment.startControllers();
  await reached;
  await environment.stopControllers();
}

describe('a manager that crashes [vsphere 5, 6]', () => {
  it.each(['before', 'after'] as const)(
    'creates exactly one machine and deletes it, crashing %s any of its writes',
    async (when) => {
      await environment.stopControllers();
      let deaths = 0;
      for (let at = 1, ends: string[] = ['died']; ends.includes('died'); at += 1) {
        const name = `crash-${when}-${at}`;
        await createMachine(environment, name, { cluster: 'prod' });
        const made = await live(new DyingClient(environment.client, at, when), ready(name));
        await recover(ready(name));
        expect(await environment.machineNames()).toEqual([name]);
        await environment.client.delete(vsphereMachines, { namespace, name });
        const removed = await live(new DyingClient(environment.client, at, when), gone(name));
        await recover(gone(name));
        expect(await environment.machineNames()).toEqual([]);
        ends = [made, removed];
        deaths += ends.filter((end) => end === 'died').length;
      }
      // At least one crash for each write in the lifecycle of a machine: finalizers, the VSphereVM, tasks, status.
      expect(deaths).toBeGreaterThan(12);
      await environment.startControllers();
    },
    600_000,
  );
});
