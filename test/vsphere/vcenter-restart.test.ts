import { type Clock, Scope, systemClock } from '@slipway/base';
import { vsphereMachines, vsphereVms, waitForTask } from '@slipway/vsphere';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EndlessTasks, type Reply, type Treatment, VCenterFront } from './vcenter-front.js';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, namespace, VCenterWorld } from './vcenter-world.js';

const scope = new Scope();
let world: VCenterWorld;
let front: VCenterFront;
let endless: EndlessTasks;
/** How far the manager is ahead of vCenter. */
let aheadMs = 0;
const clock: Clock = {
  now: () => systemClock.now() + aheadMs,
  monotonic: () => systemClock.monotonic(),
  setTimer: (ms, callback) => systemClock.setTimer(ms, callback),
};

beforeAll(async () => {
  world = await VCenterWorld.start({ clock });
  scope.defer(() => world.stop());
  front = await VCenterFront.start(world.vcsim.server);
  scope.defer(() => front.stop());
  endless = await EndlessTasks.at(world.vcsim.server, await world.session.soap.sessionCookie());
  await createCluster(world, 'prod', { server: front.address });
  await provisionCluster(world, 'prod');
});
afterAll(() => scope.dispose());
afterEach(() => {
  front.treatment = (call) => call.forward();
  front.calls.clear();
});

const clone = 'CloneVM_Task';
const clonesAsked = (): number => front.calls.get(clone) ?? 0;
const ready = (name: string) => world.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
const hasTask = (name: string) => world.untilOne(vsphereVms, name, (vm) => vm.status?.taskRef !== undefined);

/** The first clone is treated in this way, and all else as usual. */
function firstClone(treat: Treatment): Treatment {
  return (call) => (call.method === clone && clonesAsked() === 1 ? treat(call) : call.forward());
}

/** Does what a call asks for, to the end. */
async function perform(body: string): Promise<void> {
  await waitForTask(world.session.updates, { type: 'Task', value: await endless.send(body) });
}

async function remove(name: string): Promise<void> {
  await world.client.delete(vsphereMachines, { namespace, name });
  await world.untilNone(vsphereMachines, name);
  expect(await world.machineNames()).toEqual([]);
}

describe('a vCenter that restarts in the middle of a clone', () => {
  interface Restart {
    readonly what: string;
    /** What becomes of the call, before or while vCenter goes down. */
    readonly treat: (body: string, goDown: () => void) => Promise<Reply | 'cut'>;
    /** Goes down only once the machine has its task. */
    readonly late?: boolean;
    readonly clones: number;
  }
  const restarts: readonly Restart[] = [
    {
      what: 'never heard of it',
      clones: 2,
      treat: async (_body, goDown) => {
        goDown();
        return 'cut';
      },
    },
    {
      what: 'has done it and could not say so',
      clones: 1,
      treat: async (body, goDown) => {
        await perform(body);
        goDown();
        return 'cut';
      },
    },
    { what: 'has lost it with its task', clones: 2, late: true, treat: () => endless.begin(clone) },
    {
      what: 'has done it and lost the task',
      clones: 1,
      late: true,
      treat: async (body) => {
        await perform(body);
        return endless.begin(clone);
      },
    },
  ];

  it.each(restarts)('and $what has one machine in the end, and none is left of it', async (restart) => {
    const name = `restarted-${restarts.indexOf(restart)}`;
    let isMissed: Promise<void> | undefined;
    const goDown = (): void => {
      isMissed = front.goDown();
    };
    const asked = new Promise<void>((resolve) => {
      front.treatment = firstClone(async ({ body }) => {
        const reply = await restart.treat(body, goDown);
        resolve();
        return reply;
      });
    });
    await createMachine(world, name, { cluster: 'prod' });
    await asked;
    if (restart.late === true) {
      await hasTask(name);
      goDown();
    }
    await isMissed;
    front.comeBack();
    const vm = await ready(name);
    expect(conditionOf(vm, 'VCenterAvailable')?.status).toBe('True');
    expect(clonesAsked()).toBe(restart.clones);
    expect(await world.machineNames()).toEqual([name]);
    await remove(name);
  });
});

describe('a task that never ends', () => {
  it('is told of after half an hour, asked for no second time, and gone on from once it ends', async () => {
    let held = '';
    front.treatment = firstClone(({ body }) => {
      held = body;
      return endless.begin(clone);
    });
    await createMachine(world, 'endless', { cluster: 'prod' });
    const { status } = await hasTask('endless');
    // As a manager that starts again later: nothing is remembered but what the object says.
    await world.stopControllers();
    aheadMs = 31 * 60_000;
    await world.startControllers();
    const told = await world.untilOne(vsphereMachines, 'endless', (one) =>
      / for 3\d minutes; /.test(conditionOf(one, 'VirtualMachineProvisioned')?.message ?? ''),
    );
    expect(conditionOf(told, 'VirtualMachineProvisioned')).toMatchObject({
      status: 'False',
      reason: 'NotProvisioned',
      // More where the test takes its time.
      message: expect.stringMatching(
        new RegExp(`${status?.taskRef} for 3[1-9] minutes; look at the task in vSphere Client`),
      ) as string,
    });
    expect([clonesAsked(), await world.machineNames()]).toEqual([1, []]);
    await perform(held);
    await endless.end(status?.taskRef ?? '');
    await ready('endless');
    expect([clonesAsked(), await world.machineNames()]).toEqual([1, ['endless']]);
    await remove('endless');
  });
});
