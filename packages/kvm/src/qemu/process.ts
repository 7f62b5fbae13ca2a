import { readdir } from 'node:fs/promises';
import { type Clock, endProcess, identify, type ProcessIdentity, readIfPresent, sleep } from '@slipway/base';

/** Returns the process of the pid file, if it still runs and belongs to this machine. */
export async function runningQemu(pidFile: string, uuid: string): Promise<ProcessIdentity | undefined> {
  const pid = Number(((await readIfPresent(pidFile)) ?? '').trim());
  if (!Number.isInteger(pid) || pid <= 0 || !(await isQemuOf(pid, uuid))) return undefined;
  return identify(pid);
}

/**
 * Returns all QEMU processes of this machine, with or without a pid file. A manager that was killed right after it started QEMU
 * would otherwise leave a process behind that runs after its disks are deleted.
 */
export async function findQemus(uuid: string): Promise<ProcessIdentity[]> {
  const found: ProcessIdentity[] = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || !(await isQemuOf(pid, uuid))) continue;
    const identity = await identify(pid);
    if (identity !== undefined) found.push(identity);
  }
  return found;
}

async function isQemuOf(pid: number, uuid: string): Promise<boolean> {
  const args = ((await readIfPresent(`/proc/${pid}/cmdline`)) ?? '').split('\0');
  return /qemu/.test(args[0] ?? '') && args[args.indexOf('-uuid') + 1] === uuid;
}

const pollMs = 50;

/** Waits until a process exits. Returns false on timeout. The process is not a child process, so it must be polled. */
export async function hasEnded(identity: ProcessIdentity, withinMs: number, clock: Clock): Promise<boolean> {
  const deadline = clock.monotonic() + withinMs;
  for (;;) {
    const now = await identify(identity.pid);
    if (now?.startTime !== identity.startTime) return true;
    if (clock.monotonic() > deadline) return false;
    await sleep(clock, pollMs);
  }
}

export async function endQemus(uuid: string, clock: Clock): Promise<void> {
  for (const identity of await findQemus(uuid)) await endProcess(identity, clock);
}
