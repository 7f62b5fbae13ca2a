import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '@slipway/base';
import { LocalService, type TinyImage, type VmReport } from '@slipway/kvm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { findQemus } from '../../packages/kvm/src/qemu/process.js';
import { QmpClient } from '../../packages/kvm/src/qemu/index.js';
import { removeHost } from './support/host-folder.js';
import { tinyImage, tinyMachine } from './support/tiny-guest.js';
import { contextWith, ensureUntil, removeAll, uuidOf, desiredMachine } from './support/desired-machine.js';

// Tests faults of machines on a host, with real QEMU. Disks are in-memory directories that are small enough to be filled.
let folder: string;
let tiny: TinyImage;
const services: LocalService[] = [];
const mounts: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kvm-faults-'));
  tiny = await tinyImage();
}, 120_000);
afterEach(() => {
  for (const service of services.splice(0)) service.dispose();
  for (const path of mounts.splice(0)) execFileSync('umount', ['-l', path]);
});
afterAll(() => removeHost(folder));

/** Returns a host with a disk of this size in MiB. */
function hostWith(mebibytes: number, clock: Clock = systemClock): { service: LocalService; state: string } {
  const state = join(folder, `state-${mebibytes}`);
  mkdirSync(state);
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${mebibytes}m`, 'none', state]);
  mounts.push(state);
  const service = new LocalService({ stateDirectory: state, runDirectory: join(folder, 'run'), clock });
  services.push(service);
  return { service, state };
}

const conditionOf = ({ conditions }: VmReport, type: string) => conditions.find((each) => each.type === type);
const hasReason = (type: string, reason: string) => (report: VmReport) => conditionOf(report, type)?.reason === reason;

/** Scripts that the guest runs on request. */
const bootstrapData = `#cloud-config
write_files:
-   path: /www/cgi-bin/date
    permissions: '0755'
    content: |
      #!/bin/sh
      echo
      date +%s
-   path: /www/cgi-bin/write
    permissions: '0755'
    content: |
      #!/bin/sh
      dd if=/dev/urandom of=/dev/disk/by-id/virtio-dockerfs bs=1M count=40 > /dev/null 2>&1
      sync
      echo
      echo written
runcmd:
  - 'mkdir -p /run/cluster-api; httpd -p 8080 -h /www && echo success > /run/cluster-api/bootstrap-success.complete'
`;

describe('a stopped machine', () => {
  it('is detected, continues with the correct time, and can be deleted [kvm 6, 23, 36]', async () => {
    // A clock two hours ahead of the guest, which uses the clock of this host.
    const ahead = Object.assign(Object.create(systemClock) as Clock, { now: () => Date.now() + 7_200_000 });
    const { service, state } = hostWith(300, ahead);
    const base = tinyMachine(tiny);
    const desired = desiredMachine(
      uuidOf(1),
      {
        ...base,
        resources: { ...base.resources, dockerVolumeSize: '64Mi' },
        network: { portForwards: [{ guestPort: 8080 }] },
      },
      bootstrapData,
    );
    const { vm } = await ensureUntil(service, desired, hasReason('BootstrapSucceeded', 'Succeeded'));
    const pid = vm?.pid ?? 0;
    const page = (name: string): Promise<string> =>
      fetch(
        `http://127.0.0.1:${vm?.portForwards?.find(({ guestPort }) => guestPort === 8080)?.port ?? 0}/cgi-bin/${name}`,
      ).then((answer) => answer.text());
    const second = await QmpClient.connect({
      path: join(folder, 'run', uuidOf(1).replaceAll('-', '').slice(0, 12), 'q2.sock'),
      clock: systemClock,
    });

    // Stopped by a user.
    await second.execute('stop');
    await ensureUntil(service, desired, hasReason('VMRunning', 'Running'));
    const late = Math.abs(Number(await page('date')) * 1000 - ahead.now());
    expect(late).toBeLessThan(60_000);

    // Stopped by a full disk: the process runs, but the machine is stopped.
    const filler = join(state, 'filler');
    fill(filler);
    const written = page('write');
    const full = await ensureUntil(service, desired, hasReason('VMRunning', 'IOError'));
    expect(conditionOf(full, 'VMRunning')?.message).toContain('free space, and the virtual machine resumes');
    expect(full.vm?.pid).toBe(pid);
    rmSync(filler);
    await ensureUntil(service, desired, hasReason('VMRunning', 'Running'));
    expect(await written).toBe('written\n');

    // A stopped machine does not react to its power button.
    await second.execute('stop');
    second.dispose();
    const reported: string[] = [];
    expect(
      await removeAll(
        service,
        desired,
        60,
        contextWith((reason) => reported.push(reason)),
      ),
    ).toBeUndefined();
    expect(reported).toEqual(['ShutdownRequested', 'Destroyed']);
    expect(await findQemus(uuidOf(1))).toEqual([]);
    expect(readdirSync(join(state, 'machines'))).toEqual([]);
    expect(readdirSync(join(folder, 'run'))).toEqual([]);
  }, 900_000);
});

/** Writes until the disk is full. */
function fill(path: string): void {
  const chunk = Buffer.alloc(64 * 1024);
  try {
    for (;;) writeFileSync(path, chunk, { flag: 'a' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

describe('a host', () => {
  it('reports too little disk space before it starts a machine', async () => {
    const { service, state } = hostWith(100);
    const desired = desiredMachine(uuidOf(2), tinyMachine(tiny));
    const report = await ensureUntil(service, desired, hasReason('DisksReady', 'InsufficientCapacity'));
    expect(conditionOf(report, 'DisksReady')?.message).toMatch(/has \d+ MiB left: free at least 256 MiB/);
    expect(await removeAll(service, desired)).toBeUndefined();
    expect(readdirSync(state).filter((name) => name === 'machines')).toEqual([]);
  });

  it('reports that the image does not fit on the disk, and keeps no partial file', async () => {
    const { service, state } = hostWith(4);
    const desired = desiredMachine(uuidOf(3), tinyMachine(tiny));
    const report = await ensureUntil(service, desired, hasReason('ImageReady', 'InsufficientCapacity'));
    expect(conditionOf(report, 'ImageReady')?.message).toContain('free disk space');
    expect(readdirSync(join(state, 'images')).filter((name) => name.startsWith('.'))).toEqual([]);
  });

  it('reports what to install if QEMU is missing', async () => {
    const { service } = hostWith(301);
    const path = process.env['PATH'];
    process.env['PATH'] = folder;
    try {
      const report = await service.ensure(desiredMachine(uuidOf(4), tinyMachine(tiny)), contextWith());
      expect(conditionOf(report, 'VMProvisioned')).toMatchObject({
        status: 'False',
        reason: 'HostNotSupported',
        message: expect.stringContaining('apt-get install qemu-system-x86 qemu-utils'),
      });
    } finally {
      process.env['PATH'] = path;
    }
  });

  it('reports what to install if UEFI firmware is missing, or to boot without it', async () => {
    const service = new LocalService({
      stateDirectory: join(folder, 'state-without-firmware'),
      runDirectory: join(folder, 'run'),
      clock: systemClock,
      firmware: [{ code: join(folder, 'none.fd'), variables: join(folder, 'none.fd') }],
    });
    services.push(service);
    const desired = desiredMachine(uuidOf(7), { ...tinyMachine(tiny), firmware: 'uefi' });
    const report = await service.ensure(desired, contextWith());
    expect(conditionOf(report, 'VMProvisioned')).toMatchObject({
      status: 'False',
      reason: 'HostNotSupported',
      message:
        'no UEFI firmware for guests found on this host: install it (Debian: apt-get install ovmf), or use firmware: bios',
    });
    expect(await removeAll(service, desired)).toBeUndefined();
  });

  it('reports a port that another process uses, and leaves nothing behind', async () => {
    const { service, state } = hostWith(302);
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const network = { portForwards: [{ guestPort: 8080, hostPort: port }] };
      const desired = desiredMachine(uuidOf(5), { ...tinyMachine(tiny), network });
      const report = await ensureUntil(service, desired, hasReason('VMProvisioned', 'PortTaken'));
      expect(conditionOf(report, 'VMProvisioned')?.message).toBe(
        `port ${port} of this host is in use: free it, or remove spec.network.portForwards[].hostPort`,
      );
      expect(await removeAll(service, desired)).toBeUndefined();
      expect(readdirSync(state).filter((name) => name === 'machines')).toEqual([]);
    } finally {
      server.close();
    }
  });

  it('does not give a new etcd member the data of a previous one [kvm 38]', async () => {
    const { service } = hostWith(303);
    const hostPath = join(folder, 'etcd');
    const own = join(hostPath, 'default', 'machine-0006');
    mkdirSync(own, { recursive: true });
    writeFileSync(join(own, 'member'), 'of another');
    const spec = { ...tinyMachine(tiny), etcd: { storage: 'HostPath' as const, hostPath } };
    const desired = desiredMachine(uuidOf(6), spec);
    await ensureUntil(service, desired, ({ vm }) => vm?.pid !== undefined);
    expect(readdirSync(own)).toEqual([]);
    expect(readFileSync(join(`${own}.before-${uuidOf(6)}`, 'member'), 'utf8')).toBe('of another');
    expect(await removeAll(service, desired)).toBeUndefined();
    expect(readdirSync(join(hostPath, 'default'))).toEqual([`machine-0006.before-${uuidOf(6)}`]);
  });
});
