import { spawn } from 'node:child_process';
import { open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Clock, sleep } from '@slipway/base';

/** A process that cannot be taken for another one that got its number later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since the computer started. */
  readonly startTime: string;
  readonly bootId: string;
}

/**
 * The first lines of a script that outlives Slipway: it writes down who it is by itself, so that there is no moment in which
 * it runs and nobody knows. Whoever comes second ends at once.
 */
export const recordProcessScript = String.raw`set -eu
mkdir "$RECORD_DIRECTORY/started" 2> /dev/null || exit 0
stat=$(cat /proc/$$/stat)
set -- ${'$'}{stat##*) }
shift 19
printf '%s %s %s\n' $$ "$1" "$(cat /proc/sys/kernel/random/boot_id)" > "$RECORD_DIRECTORY/process.new"
mv "$RECORD_DIRECTORY/process.new" "$RECORD_DIRECTORY/process"
`;

export async function readProcess(directory: string): Promise<ProcessIdentity | undefined> {
  const text = await readText(join(directory, 'process'));
  const [pid = '', startTime = '', bootId = ''] = (text ?? '').trim().split(' ');
  return bootId === '' ? undefined : { pid: Number(pid), startTime, bootId };
}

export async function isAlive({ pid, startTime, bootId }: ProcessIdentity): Promise<boolean> {
  if ((await readText('/proc/sys/kernel/random/boot_id'))?.trim() !== bootId) return false;
  const stat = await readText(`/proc/${pid}/stat`);
  if (stat === undefined) return false;
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  // One that has ended and whose parent has not asked for it yet.
  if (fields[0] === 'Z') return false;
  return fields[19] === startTime;
}

export interface LaunchOptions {
  /** Where it records itself, and writes its log. */
  readonly directory: string;
  readonly script: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts a script that goes on without us, whatever becomes of us. */
export async function launch({ directory, script, environment }: LaunchOptions): Promise<void> {
  const log = await open(join(directory, 'log'), 'a', 0o600);
  try {
    await new Promise<void>((resolve, reject) => {
      const child = spawn('sh', [script], {
        detached: true,
        stdio: ['ignore', log.fd, log.fd],
        cwd: '/',
        env: { PATH: process.env['PATH'] ?? '', RECORD_DIRECTORY: directory, ...environment },
      });
      child.once('spawn', resolve);
      child.once('error', reject);
      child.unref();
    });
  } finally {
    await log.close();
  }
}

const endTimeoutMs = 10_000;
const lookAgainMs = 20;

/** Ends a process at once, and waits until it is gone. */
export async function end(identity: ProcessIdentity, clock: Clock): Promise<void> {
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

export async function readText(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // A process may end between opening and reading.
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
