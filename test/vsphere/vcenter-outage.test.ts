import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { vsphereMachines, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../support/peer-process.js';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { EndlessTasks, VCenterFront } from './vcenter-front.js';
import { conditionOf, VCenterWorld } from './vcenter-world.js';

/** A way to the simulator that can be cut and mended. */
class Line {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  /** Not one that the system gives out: while the line is cut, anybody could get it. */
  #port: number | undefined;

  constructor(private readonly target: string) {}

  async open(): Promise<string> {
    const [host = '', port = ''] = this.target.split(':');
    const server = createServer((socket) => {
      const upstream = connect(Number(port), host);
      for (const one of [socket, upstream]) {
        this.#sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => this.#sockets.delete(one));
      }
      socket.pipe(upstream).pipe(socket);
    });
    this.#port ??= (await freePorts(1))[0];
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    return `127.0.0.1:${this.#port}`;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }
}

describe('a vCenter that is away in the middle of a clone', () => {
  let world: VCenterWorld;
  let line: Line;
  let server: string;
  beforeAll(async () => {
    // A clone takes long enough to be interrupted.
    world = await VCenterWorld.start({ vcsim: ['-addresses', '10.20', '-delay', 'PowerOnVM_Task=1500'] });
    line = new Line(world.vcsim.server);
    server = await line.open();
    await createCluster(world, 'far', { server });
    await provisionCluster(world, 'far');
  });
  afterAll(async () => {
    await world.stop();
    await line.cut();
  });

  it('is told of, and the machine is made once when it is back', async () => {
    await createMachine(world, 'interrupted', { cluster: 'far' });
    await world.untilOne(vsphereVms, 'interrupted', (vm) => vm.status?.taskRef !== undefined);
    await line.cut();
    const away = await world.untilOne(
      vsphereVms,
      'interrupted',
      (vm) => conditionOf(vm, 'VCenterAvailable')?.status === 'False',
    );
    expect(conditionOf(away, 'VCenterAvailable')).toMatchObject({ reason: 'VCenterUnreachable' });
    expect(conditionOf(away, 'VCenterAvailable')?.message).toContain('cannot be reached');
    await line.open();
    const vm = await world.untilOne(vsphereVms, 'interrupted', (one) => one.status?.ready);
    expect(conditionOf(vm, 'VCenterAvailable')?.status).toBe('True');
    expect(await world.machineNames()).toEqual(['interrupted']);
  });

  it('has forgotten its sessions when it restarted, and the machine is made once all the same', async () => {
    await createMachine(world, 'restarted', { cluster: 'far' });
    await world.untilOne(vsphereVms, 'restarted', (vm) => vm.status?.taskRef !== undefined);
    await line.cut();
    await world.untilOne(vsphereVms, 'restarted', (vm) => conditionOf(vm, 'VCenterAvailable')?.status === 'False');
    for (const method of ['RetrievePropertiesEx', 'WaitForUpdatesEx'])
      await world.vcsim.fault({ method, kind: 'NotAuthenticated', count: 1 });
    await line.open();
    await world.untilOne(vsphereVms, 'restarted', (one) => one.status?.ready);
    await world.vcsim.clearFaults();
    const made = await world.machineNames();
    expect(made.filter((name) => name.startsWith('restarted'))).toEqual(['restarted']);
  });
});

describe('a vCenter that is lost while machines wait for its tasks', () => {
  const clone = 'CloneVM_Task';
  const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
  let world: VCenterWorld;
  let front: VCenterFront;
  beforeAll(async () => {
    world = await VCenterWorld.start();
    front = await VCenterFront.start(world.vcsim.server);
    await createCluster(world, 'held', { server: front.address });
    await provisionCluster(world, 'held');
  });
  afterAll(async () => {
    await world.stop();
    await front.stop();
  });

  const asked = (): number => [...front.calls.values()].reduce((sum, count) => sum + count, 0);
  const told = (name: string, status: string) =>
    world.untilOne(vsphereVms, name, (vm) => conditionOf(vm, 'VCenterAvailable')?.status === status);

  /** Settles once each of them has a task that does not end, and has seen that it runs. */
  async function holdAll(): Promise<void> {
    const endless = await EndlessTasks.at(world.vcsim.server, await world.session.soap.sessionCookie());
    const begun = new Set<string>();
    const seen = new Set<string>();
    front.treatment = async (call) => {
      if (call.method !== clone) {
        const reply = await call.forward();
        if (call.method === 'RetrievePropertiesEx')
          for (const task of begun) if (call.body.includes(`>${task}<`)) seen.add(task);
        return reply;
      }
      const reply = await endless.begin(clone);
      begun.add(/type="Task">([^<]+)</.exec(reply.body)?.[1] ?? '');
      return reply;
    };
    for (const name of names) await createMachine(world, name, { cluster: 'held' });
    await expect.poll(() => seen.size).toBe(names.length);
    front.treatment = (call) => call.forward();
  }

  it('is told to each of them, with what helps, asked by one for all, and they go on when it is back', async () => {
    await createMachine(world, 'bystander', { cluster: 'held' });
    const bystander = await world.untilOne(vsphereVms, 'bystander', (vm) => vm.status?.ready);
    await holdAll();
    await front.goDown();
    for (const name of names) {
      const { message, reason } = conditionOf(await told(name, 'False'), 'VCenterAvailable') ?? {};
      expect(reason).toBe('VCenterUnreachable');
      expect(message).toContain(front.address);
      expect(message).toContain('check that vCenter runs');
      const mirrored = await world.untilOne(
        vsphereMachines,
        name,
        (one) => conditionOf(one, 'VirtualMachineProvisioned')?.reason === 'VCenterUnreachable',
      );
      expect(conditionOf(mirrored, 'VirtualMachineProvisioned')?.message).toBe(message);
    }
    const before = asked();
    // Each of them by itself would have asked several times before the next time.
    await expect.poll(() => asked() - before).toBeGreaterThan(0);
    expect(asked() - before).toBeLessThan(2 * names.length);
    front.comeBack();
    for (const name of names) await world.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
    for (const name of names) await told(name, 'True');
    expect(await world.machineNames()).toEqual([...names, 'bystander'].sort());
    // One that waits for nothing is left alone.
    const { lastTransitionTime } = conditionOf(bystander, 'VCenterAvailable') ?? {};
    const after = conditionOf(await world.get(vsphereVms, 'bystander'), 'VCenterAvailable');
    expect(after).toMatchObject({ status: 'True', lastTransitionTime });
  });
});
