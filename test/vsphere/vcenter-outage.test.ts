import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { vsphereMachines, vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePorts } from '../support/peer-process.js';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { EndlessTasks, VCenterFront } from './vcenter-front.js';
import { conditionOf, VCenterEnvironment } from './vcenter-environment.js';

/** A proxy to the simulator that can be disconnected and reconnected. */
class Line {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  /** The port. It is not an ephemeral one, which another process could get while the proxy is stopped. */
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

describe('a vCenter outage during a clone', () => {
  let environment: VCenterEnvironment;
  let line: Line;
  let server: string;
  beforeAll(async () => {
    // A clone takes long enough to be interrupted.
    environment = await VCenterEnvironment.start({ vcsim: ['-addresses', '10.20', '-delay', 'PowerOnVM_Task=1500'] });
    line = new Line(environment.vcsim.server);
    server = await line.open();
    await createCluster(environment, 'far', { server });
    await provisionCluster(environment, 'far');
  });
  afterAll(async () => {
    await environment.stop();
    await line.cut();
  });

  it('is reported, and the machine is created once when vCenter is back', async () => {
    await createMachine(environment, 'interrupted', { cluster: 'far' });
    await environment.untilOne(vsphereVms, 'interrupted', (vm) => vm.status?.taskRef !== undefined);
    await line.cut();
    const away = await environment.untilOne(
      vsphereVms,
      'interrupted',
      (vm) => conditionOf(vm, 'VCenterAvailable')?.status === 'False',
    );
    expect(conditionOf(away, 'VCenterAvailable')).toMatchObject({ reason: 'VCenterUnreachable' });
    expect(conditionOf(away, 'VCenterAvailable')?.message).toContain('is not reachable');
    await line.open();
    const vm = await environment.untilOne(vsphereVms, 'interrupted', (one) => one.status?.ready);
    expect(conditionOf(vm, 'VCenterAvailable')?.status).toBe('True');
    expect(await environment.machineNames()).toEqual(['interrupted']);
  });

  it('creates the machine once although vCenter lost its sessions in a restart', async () => {
    await createMachine(environment, 'restarted', { cluster: 'far' });
    await environment.untilOne(vsphereVms, 'restarted', (vm) => vm.status?.taskRef !== undefined);
    await line.cut();
    await environment.untilOne(
      vsphereVms,
      'restarted',
      (vm) => conditionOf(vm, 'VCenterAvailable')?.status === 'False',
    );
    for (const method of ['RetrievePropertiesEx', 'WaitForUpdatesEx'])
      await environment.vcsim.fault({ method, kind: 'NotAuthenticated', count: 1 });
    await line.open();
    await environment.untilOne(vsphereVms, 'restarted', (one) => one.status?.ready);
    await environment.vcsim.clearFaults();
    const made = await environment.machineNames();
    expect(made.filter((name) => name.startsWith('restarted'))).toEqual(['restarted']);
  });
});

describe('a vCenter outage while machines wait for tasks', () => {
  const clone = 'CloneVM_Task';
  const names = ['first', 'second', 'third', 'fourth', 'fifth', 'sixth'];
  let environment: VCenterEnvironment;
  let front: VCenterFront;
  beforeAll(async () => {
    environment = await VCenterEnvironment.start();
    front = await VCenterFront.start(environment.vcsim.server);
    await createCluster(environment, 'held', { server: front.address });
    await provisionCluster(environment, 'held');
  });
  afterAll(async () => {
    await environment.stop();
    await front.stop();
  });

  const callCount = (): number => [...front.calls.values()].reduce((sum, count) => sum + count, 0);
  const reported = (name: string, status: string) =>
    environment.untilOne(vsphereVms, name, (vm) => conditionOf(vm, 'VCenterAvailable')?.status === status);

  /** Resolves once each machine has a pending task that its controller has seen running. */
  async function holdAll(): Promise<void> {
    const endless = await EndlessTasks.at(environment.vcsim.server, await environment.session.soap.sessionCookie());
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
    for (const name of names) await createMachine(environment, name, { cluster: 'held' });
    await expect.poll(() => seen.size).toBe(names.length);
    front.treatment = (call) => call.forward();
  }

  it('is reported on each machine with a remedy, is probed once for all, and they continue when vCenter is back', async () => {
    await createMachine(environment, 'bystander', { cluster: 'held' });
    const bystander = await environment.untilOne(vsphereVms, 'bystander', (vm) => vm.status?.ready);
    await holdAll();
    await front.goDown();
    for (const name of names) {
      const { message, reason } = conditionOf(await reported(name, 'False'), 'VCenterAvailable') ?? {};
      expect(reason).toBe('VCenterUnreachable');
      expect(message).toContain(front.address);
      expect(message).toContain('check that vCenter is running');
      const mirrored = await environment.untilOne(
        vsphereMachines,
        name,
        (one) => conditionOf(one, 'VirtualMachineProvisioned')?.reason === 'VCenterUnreachable',
      );
      expect(conditionOf(mirrored, 'VirtualMachineProvisioned')?.message).toBe(message);
    }
    const before = callCount();
    // The machines share one probe. Separately, each would have probed several times in this interval.
    await expect.poll(() => callCount() - before).toBeGreaterThan(0);
    expect(callCount() - before).toBeLessThan(2 * names.length);
    front.comeBack();
    for (const name of names) await environment.untilOne(vsphereVms, name, (vm) => vm.status?.ready);
    for (const name of names) await reported(name, 'True');
    expect(await environment.machineNames()).toEqual([...names, 'bystander'].sort());
    // A machine that waits for no task is not affected.
    const { lastTransitionTime } = conditionOf(bystander, 'VCenterAvailable') ?? {};
    const after = conditionOf(await environment.get(vsphereVms, 'bystander'), 'VCenterAvailable');
    expect(after).toMatchObject({ status: 'True', lastTransitionTime });
  });
});
