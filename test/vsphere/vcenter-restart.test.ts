import { type Clock, Scope, systemClock } from '@slipway/base';
import { vsphereMachines, vsphereVms, waitForTask } from '@slipway/vsphere';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EndlessTasks, type Reply, type Treatment, VCenterFront } from './vcenter-front.js';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, namespace, VCenterEnvironment } from './vcenter-environment.js';

const scope = new Scope();
let environment: VCenterEnvironment;
let front: VCenterFront;
let endless: EndlessTasks;
/** The clock offset of the manager relative to vCenter. */
let aheadMs = 0;
const clock: Clock = {
  now: () => systemClock.now() + aheadMs,
  monotonic: () => systemClock.monotonic(),
  setTimer: (ms, callback) => systemClock.setTimer(ms, callback),
};

beforeAll(async () => {
  environment = await VCenterEnvironment.start({ clock });
  scope.defer(() => environment.stop());
  front = await VCenterFront.start(environment.vcsim.server);
  scope.defer(() => front.stop());
  endless = await EndlessTasks.at(environment.vcsim.server, await environment.session.soap.sessionCookie());
  await createCluster(environment, 'prod', { server: front.address });
  await provisionCluster(environment, 'prod');
});
afterAll(() => scope.dispose());
afterEach(() => {
  front.treatment = (call) => call.forward();
  front.calls.clear();
});

const clone = 'CloneVM_Task';
const clonesAsked = (): number => front.calls.get(clone) ?? 0;
const ready = (name: string) => environment.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
const hasTask = (name: string) => environment.untilOne(vsphereVms, name, (vm) => vm.status?.taskRef !== undefined);

/** Handles the first clone in this way, and all other calls normally. */
function firstClone(treat: Treatment): Treatment {
  return (call) => (call.method === clone && clonesAsked() === 1 ? treat(call) : call.forward());
}

/** Executes a call to completion. */
async function perform(body: string): Promise<void> {
  await waitForTask(environment.session.updates, { type: 'Task', value: await endless.send(body) });
}

async function remove(name: string): Promise<void> {
  await environment.client.delete(vsphereMachines, { namespace, name });
  await environment.untilNone(vsphereMachines, name);
  expect(await environment.machineNames()).toEqual([]);
}

describe('a vCenter that restarts in the middle of a clone', () => {
  interface Restart {
    readonly what: string;
    /** The outcome of the call, before or while vCenter restarts. */
    readonly treat: (body: string, goDown: () => void) => Promise<Reply | 'cut'>;
    /** Whether vCenter restarts only once the machine has its task. */
    readonly late?: boolean;
    readonly clones: number;
  }
  const restarts: readonly Restart[] = [
    {
      what: 'never received the call',
      clones: 2,
      treat: async (_body, goDown) => {
        goDown();
        return 'cut';
      },
    },
    {
      what: 'completed it without a response',
      clones: 1,
      treat: async (body, goDown) => {
        await perform(body);
        goDown();
        return 'cut';
      },
    },
    { what: 'lost it with its task', clones: 2, late: true, treat: () => endless.begin(clone) },
    {
      what: 'completed it and lost the task',
      clones: 1,
      late: true,
      treat: async (body) => {
        await perform(body);
        return endless.begin(clone);
      },
    },
  ];

  it.each(restarts)('creates one machine although vCenter $what, and deletes it completely', async (restart) => {
    const name = `restarted-${restarts.indexOf(restart)}`;
    let isMissed: Promise<void> | undefined;
    const goDown = (): void => {
      isMissed = front.goDown();
    };
    const cloneCalled = new Promise<void>((resolve) => {
      front.treatment = firstClone(async ({ body }) => {
        const reply = await restart.treat(body, goDown);
        resolve();
        return reply;
      });
    });
    await createMachine(environment, name, { cluster: 'prod' });
    await cloneCalled;
    if (restart.late === true) {
      await hasTask(name);
      goDown();
    }
    await isMissed;
    front.comeBack();
    const vm = await ready(name);
    expect(conditionOf(vm, 'VCenterAvailable')?.status).toBe('True');
    expect(clonesAsked()).toBe(restart.clones);
    expect(await environment.machineNames()).toEqual([name]);
    await remove(name);
  });
});

describe('a task that never ends', () => {
  it('is reported after half an hour, is not started a second time, and the machine continues once it completes', async () => {
    let held = '';
    front.treatment = firstClone(({ body }) => {
      held = body;
      return endless.begin(clone);
    });
    await createMachine(environment, 'endless', { cluster: 'prod' });
    const { status } = await hasTask('endless');
    // As after a restart of the manager: only the state in the object is kept.
    await environment.stopControllers();
    aheadMs = 31 * 60_000;
    await environment.startControllers();
    const reported = await environment.untilOne(vsphereMachines, 'endless', (one) =>
      / for 3\d minutes; /.test(conditionOf(one, 'VirtualMachineProvisioned')?.message ?? ''),
    );
    expect(conditionOf(reported, 'VirtualMachineProvisioned')).toMatchObject({
      status: 'False',
      reason: 'NotProvisioned',
      // The number is higher if the test is slow.
      message: expect.stringMatching(
        new RegExp(`${status?.taskRef} .*has been running for 3[1-9] minutes; check it in the vSphere Client`),
      ) as string,
    });
    expect([clonesAsked(), await environment.machineNames()]).toEqual([1, []]);
    await perform(held);
    await endless.end(status?.taskRef ?? '');
    await ready('endless');
    expect([clonesAsked(), await environment.machineNames()]).toEqual([1, ['endless']]);
    await remove('endless');
  });
});
