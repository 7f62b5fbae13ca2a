import { readFile } from 'node:fs/promises';
import { type Clock, sleep } from '../clock/index.js';

/** A process that cannot be taken for another one that got its number later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since the computer started. */
  readonly startTime: string;
  readonly bootId: string;
}

/** Who has this number now, if anybody. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startTime = await startTimeOf(pid);
  return startTime === undefined ? undefined : { pid, startTime, bootId: await bootIdOfComputer() };
}

export async function isAlive({ pid, startTime, bootId }: ProcessIdentity): Promise<boolean> {
  return bootId === (await bootIdOfComputer()) && startTime === (await startTimeOf(pid));
}

async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readIfPresent(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // One that has ended and whose parent has not asked for it yet.
  return fields[0] === 'Z' ? undefined : fields[19];
}

async function bootIdOfComputer(): Promise<string> {
  return ((await readIfPresent('/proc/sys/kernel/random/boot_id')) ?? '').trim();
}

const endTimeoutMs = 10_000;
const lookAgainMs = 20;

/** Ends a process at once, and waits until it is gone. */
export async function endProcess(identity: ProcessIdentity, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + endTimeoutMs;
  while (await isAlive(identity)) {
    try {
      process.kill(identity.pid, 'SIGKILL');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    if (clock.monotonic() > deadline) throw new Error(`process ${identity.pid} does not end`);
    // It is not our child: nobody tells us when it has ended.
    await sleep(clock, lookAgainMs);
  }
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A process may end between opening and reading.
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
