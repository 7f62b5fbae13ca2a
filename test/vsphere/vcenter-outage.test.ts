import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { vsphereVms } from '@slipway/vsphere';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createCluster, createMachine, provisionCluster } from './vcenter-manifests.js';
import { conditionOf, VCenterWorld } from './vcenter-world.js';

/** A way to the simulator that can be cut and mended. */
class Line {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;

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
    server.listen(this.#port, '127.0.0.1');
    await once(server, 'listening');
    this.#server = server;
    this.#port = (server.address() as { port: number }).port;
    return `127.0.0.1:${this.#port}`;
  }

  async cut(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server?.close(() => resolve()));
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
