import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify, systemClock } from '@slipway/base';
import { GivenEndpoint, kvmMachines, LocalService, type TinyImage } from '@slipway/kvm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { conditionOf, KVMPlane, keyOf } from '../../packages/kvm/test/support/kvm-plane.js';
import { removeHost } from './support/host-folder.js';
import { bootstrapData, tinyImage, tinyMachine } from './support/tiny-guest.js';

// Runs real QEMU virtual machines with the tiny guest, under software emulation (TCG).
let folder: string;
let tiny: TinyImage;
let service: LocalService;
let plane: KVMPlane;

const parts = () => {
  service = new LocalService({
    stateDirectory: join(folder, 'state'),
    runDirectory: join(folder, 'run'),
    clock: systemClock,
  });
  return { services: [service], endpoints: [new GivenEndpoint()] };
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kvm-'));
  tiny = await tinyImage();
  plane = await KVMPlane.start(parts());
  await plane.createCluster('one', {
    controlPlaneEndpoint: { host: '10.0.0.1', port: 6443 },
    controlPlaneExposure: { type: 'External' },
  });
  await plane.provisionCluster('one');
}, 120_000);

afterAll(async () => {
  try {
    await plane?.stop();
    service?.dispose();
  } finally {
    removeHost(folder);
  }
});

/** Timeout of one step of a guest under software emulation; only a hanging guest takes this long. */
const timeoutMs = 200_000;
const forwarded = { network: { portForwards: [{ guestPort: 8080 }] } };

async function removed(name: string): Promise<void> {
  await plane.client.delete(kvmMachines, keyOf(name));
  await plane.untilGone(kvmMachines, keyOf(name), timeoutMs);
}

it('builds the tiny guest image reproducibly', async () => {
  const digests = async (): Promise<string[]> =>
    Promise.all(
      [tiny.kernel, tiny.initrd, tiny.disk].map(async (path) =>
        createHash('sha256')
          .update(await readFile(path))
          .digest('hex'),
      ),
    );
  const before = await digests();
  // Wait for the next second, because mke2fs would record the time at which it ran.
  await expect.poll(() => new Date().getSeconds(), { timeout: 60_000 }).not.toBe(new Date().getSeconds());
  await tinyImage();
  expect(await digests()).toEqual(before);
});

describe('a machine of this host', () => {
  it('boots from the seed, runs its bootstrap data, is reachable, outlives Slipway, restarts when killed, and is deleted completely', async () => {
    await plane.createMachine('first', {
      cluster: 'one',
      data: bootstrapData,
      spec: { ...tinyMachine(tiny), ...forwarded },
    });
    const booted = await plane.waitForMachine('first', 'BootstrapSucceeded', 'Succeeded', timeoutMs);
    const { vm, machineState, initialization } = booted.status ?? {};
    expect({ machineState, initialization, boots: vm?.boots, accelerator: vm?.accelerator }).toEqual({
      machineState: 'running',
      initialization: { provisioned: true },
      boots: 1,
      accelerator: 'tcg',
    });
    const page = (port: number): Promise<string> => fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text());
    const port = vm?.portForwards?.[0]?.port ?? 0;
    expect(await page(port)).toBe(`I am first, ${booted.spec?.providerID ?? ''}\n`);
    // The seed disc with the secrets was replaced, and still has the same instance ID.
    const seed = (
      await readFile(join(folder, 'state/machines', booted.spec?.providerID?.slice(6) ?? '', 'seed.iso'))
    ).toString('latin1');
    expect(seed).not.toContain('httpd');
    expect(seed).toContain(`instance-id: ${booted.spec?.providerID?.slice(6) ?? ''}`);

    // Restart Slipway. The machine is not affected.
    await plane.stopControllers();
    service.dispose();
    await plane.startControllers(parts());
    expect(await page(port)).toContain('I am first');

    process.kill(vm?.pid ?? 0, 'SIGKILL');
    const again = await plane.untilMachine('first', (one) => one.status?.vm?.boots === 2, timeoutMs);
    // A provisioned machine stays provisioned (KVM 30).
    expect(again.status?.initialization).toEqual({ provisioned: true });
    expect(again.status?.vm?.pid).not.toBe(vm?.pid);

    await removed('first');
    expect(readdirSync(join(folder, 'state/machines'))).toEqual([]);
    expect(readdirSync(join(folder, 'run'))).toEqual([]);
    expect(await identify(again.status?.vm?.pid ?? 0)).toBeUndefined();
  }, 900_000);

  it('is powered off after the timeout if it ignores its power button [kvm 5]', async () => {
    const spec = { ...tinyMachine(tiny, 'tiny.ignore-power-button'), shutdown: { gracePeriodSeconds: 3 } };
    await plane.createMachine('deaf', { cluster: 'one', data: bootstrapData, spec });
    const { status } = await plane.waitForMachine('deaf', 'VMRunning', 'Running', timeoutMs);
    await plane.client.delete(kvmMachines, keyOf('deaf'));
    const reported = await plane.untilMachine('deaf', (one) => conditionOf(one, 'Deleting') !== undefined, timeoutMs);
    expect(conditionOf(reported, 'Deleting')).toMatchObject({ status: 'True', reason: 'ShuttingDown' });
    await plane.untilGone(kvmMachines, keyOf('deaf'), timeoutMs);
    expect(await identify(status?.vm?.pid ?? 0)).toBeUndefined();
  }, 900_000);

  const wrongChecksum = 'a'.repeat(64);
  it.each([
    {
      name: 'missing',
      change: { image: { url: '/nowhere/disk.raw' } },
      type: 'ImageReady',
      reason: 'ImageMissing',
      expected: '/nowhere/disk.raw does not exist: upload the image, or correct the URL',
    },
    {
      name: 'wrong',
      change: { checksum: wrongChecksum },
      type: 'ImageReady',
      reason: 'ImageChecksumMismatch',
      expected: `expected sha256:${wrongChecksum}: correct the file or the checksum in the spec`,
    },
    {
      name: 'small',
      change: { resources: { cpu: 1, memory: '256Mi', disk: '1Mi' } },
      type: 'DisksReady',
      reason: 'ImageTooLargeForDisk',
      expected: 'set it to at least 1Gi',
    },
    {
      name: 'huge',
      change: { resources: { cpu: 1, memory: '900Ti', disk: '32Mi' } },
      type: 'VMProvisioned',
      reason: 'InsufficientCapacity',
      expected: 'stop other machines, or reduce spec.resources.memory',
    },
  ])(
    'reports the error of a machine that cannot be created ($name) [kvm 21]',
    async ({ name, change, type, reason, expected }) => {
      const { checksum, ...rest } = { checksum: undefined as string | undefined, ...change };
      const base = tinyMachine(tiny);
      const image = { ...base.image, ...rest.image, ...(checksum !== undefined && { checksum }) };
      await plane.createMachine(name, { cluster: 'one', data: bootstrapData, spec: { ...base, ...rest, image } });
      const reported = await plane.waitForMachine(name, type, reason, timeoutMs);
      expect(conditionOf(reported, type)?.message).toContain(expected);
      expect(conditionOf(reported, 'Ready')?.status).toBe('False');
      await removed(name);
      expect(readdirSync(join(folder, 'state/machines'))).toEqual([]);
    },
  );
});
