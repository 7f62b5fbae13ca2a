import { readdirSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@slipway/base';
import { LocalService, type TinyImage, type DesiredMachine } from '@slipway/kvm';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { findQemus } from '../../packages/kvm/src/qemu/process.js';
import { removeHost } from './support/host-folder.js';
import { tinyImage, tinyMachine } from './support/tiny-guest.js';
import { ensureUntil, removeAll, uuidOf, desiredMachine, context } from './support/desired-machine.js';

// Slipway is killed between any two side effects. The next process must complete the work, never run a machine twice, and leave
// nothing behind when the machine is removed.
const fuse = vi.hoisted(() => {
  let left = Number.POSITIVE_INFINITY;
  class Killed extends Error {}
  const burn = (): void => {
    left -= 1;
    if (left < 0) throw new Killed('killed');
  };
  const wrap = <T extends object>(module: T, names: readonly string[]): T => ({
    ...module,
    ...Object.fromEntries(
      names.map((name) => [
        name,
        async (...args: unknown[]) => {
          burn();
          return (module as Record<string, (...args: unknown[]) => unknown>)[name]?.(...args);
        },
      ]),
    ),
  });
  return { Killed, wrap, set: (count: number) => (left = count), isBurnt: () => left < 0 };
});
vi.mock('node:fs/promises', async (original) =>
  fuse.wrap(await original<typeof import('node:fs/promises')>(), [
    'mkdir',
    'rm',
    'rename',
    'writeFile',
    'copyFile',
    'rmdir',
  ]),
);
vi.mock('../../packages/base/src/process/run-command.js', async (original) =>
  fuse.wrap(await original<typeof import('../../packages/base/src/process/run-command.js')>(), ['runCommand']),
);

let folder: string;
let tiny: TinyImage;
let uuid: string;
let count = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kvm-kill-'));
  tiny = await tinyImage();
}, 120_000);
afterAll(() => removeHost(folder));
beforeEach(() => {
  count += 1;
  uuid = uuidOf(count);
});

const localService = (): LocalService =>
  new LocalService({ stateDirectory: join(folder, 'state'), runDirectory: join(folder, 'run'), clock: systemClock });

/** Runs work until the simulated kill, after which it has no more effects. Returns whether it was killed. */
async function untilKilled(work: (service: LocalService) => Promise<unknown>, effects: number): Promise<boolean> {
  const service = localService();
  fuse.set(effects);
  try {
    await work(service);
    return false;
  } catch (error) {
    if (!(error instanceof fuse.Killed)) throw error;
    return true;
  } finally {
    fuse.set(Number.POSITIVE_INFINITY);
    service.dispose();
  }
}

const isRunning = (desired: DesiredMachine) => (service: LocalService) =>
  ensureUntil(service, desired, ({ state }) => state === 'running');

function expectNothingOf(machine: string): void {
  expect(readdirSync(join(folder, 'state/machines')).filter((name) => name.startsWith(machine))).toEqual([]);
  expect(readdirSync(join(folder, 'run'))).toEqual([]);
}

describe('a killed Slipway', () => {
  it('completes the creation of a machine in the next process, and never creates a second one', async () => {
    const desired = desiredMachine(uuid, tinyMachine(tiny));
    let steps = 0;
    // Each process completes one more step than the previous one.
    while (await untilKilled(isRunning(desired), steps)) {
      expect((await findQemus(uuid)).length).toBeLessThanOrEqual(1);
      steps += 1;
    }
    expect(steps).toBeGreaterThan(8);
    expect(await findQemus(uuid)).toHaveLength(1);
    const last = localService();
    expect(await removeAll(last, desired)).toBeUndefined();
    last.dispose();
    expect(await findQemus(uuid)).toEqual([]);
    expectNothingOf(uuid);
  });

  it('leaves nothing behind when the machine is deleted after an interrupted creation', async () => {
    for (let steps = 1; ; steps += 2) {
      const id = uuid.replace(/.{4}$/, String(9000 + steps));
      const desired = desiredMachine(id, tinyMachine(tiny));
      const wasKilled = await untilKilled(isRunning(desired), steps);
      const next = localService();
      expect(await removeAll(next, desired)).toBeUndefined();
      next.dispose();
      expect(await findQemus(id)).toEqual([]);
      expectNothingOf(id);
      if (!wasKilled) return;
    }
  });

  it('completes the deletion of a machine in the next process', async () => {
    const desired = desiredMachine(uuid, tinyMachine(tiny));
    const first = localService();
    await isRunning(desired)(first);
    first.dispose();
    const { kvmMachine, kvmCluster } = desired;
    const deleting = { uuid, kvmMachine, kvmCluster };
    let steps = 0;
    while (
      await untilKilled(
        (service) =>
          service.remove(
            { ...deleting, kvmMachine: { ...kvmMachine, spec: { shutdown: { gracePeriodSeconds: 0 } } } },
            context,
          ),
        steps,
      )
    )
      steps += 1;
    expect(await findQemus(uuid)).toEqual([]);
    expectNothingOf(uuid);
  });

  it('starts a machine once when two processes start it concurrently [kvm 34]', async () => {
    const desired = desiredMachine(uuid, tinyMachine(tiny));
    const services = [localService(), localService()];
    // The other process finds the control socket in use until this one exits. Both must have ended before the machine is removed.
    const started = async (service: LocalService): Promise<void> => {
      // A process that conflicts with the other one retries, as a controller does.
      await vi.waitFor(() => isRunning(desired)(service), { timeout: 200_000 });
      service.dispose();
    };
    await Promise.all(services.map(started));
    expect(await findQemus(uuid)).toHaveLength(1);
    const last = localService();
    await removeAll(last, desired);
    last.dispose();
    expectNothingOf(uuid);
  });
});
