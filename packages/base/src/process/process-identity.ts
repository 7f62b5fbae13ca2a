import { readFile } from 'node:fs/promises';
import { type Clock, sleep } from '../clock/index.js';

/** Identifies a process by PID and start time, so that a later process with the same PID is not mistaken for it. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since the host booted. */
  readonly startTime: string;
  readonly bootId: string;
}

/** Returns the identity of the process that has this PID now, or undefined if there is none. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = await startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime, bootId: await readBootId() };
}

export async function isAlive({ pid, startTime, bootId }: ProcessIdentity): Promise<boolean> {
  return bootId === (await readBootId()) && startTime === (await startTimeOf(pid));
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readIfPresent(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // State Z is a zombie: the process has exited, but its parent has not reaped it yet.
  return fields[0] === 'Z' ? undefined : fields[19];
}

async function readBootId(): Promise<string> {
  return ((await readIfPresent('/proc/sys/kernel/random/boot_id')) ?? '').trim();
}

const endTimeoutMs = 10_000;
const pollIntervalMs = 20;

/** Kills a process and waits until it has exited. */
export async function endProcess(identity: ProcessIdentity, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + endTimeoutMs;
  while (await isAlive(identity)) {
    try {
      process.kill(identity.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    if (clock.monotonic() > deadline) throw new Error(`process ${identity.pid} did not exit`);
    // Poll, because the exit of a process that is not a child is not reported.
    await sleep(clock, pollIntervalMs);
  }
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A process may exit between open and read.
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
