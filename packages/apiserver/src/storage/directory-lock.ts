import { execFileSync } from 'node:child_process';
import { linkSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export class DirectoryInUse extends Error {
  constructor(
    readonly directory: string,
    readonly pid: number,
  ) {
    super(`${directory} is in use by process ${pid}; stop it, or choose another data directory`);
    this.name = 'DirectoryInUse';
  }
}

export interface DirectoryLock {
  release(): void;
}

interface Owner {
  readonly pid: number;
  /**
   * Boot id and start time of the process, where the system provides them. They distinguish it from a later process with the same
   * pid.
   */
  readonly started: string;
}

/** Lock files that this process holds. */
const heldHere = new Set<string>();

/**
 * Locks a directory for this process. The lock is a file that names its owner; a lock whose owner no longer runs (kill -9, power
 * loss) is taken over. A data directory must not be shared between hosts or containers, whose pids are not comparable.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = join(realpathSync(directory), 'lock');
  const text = JSON.stringify({ pid: process.pid, started: startOf(process.pid) } satisfies Owner);
  const own = join(directory, `lock.${process.pid}`);
  writeFileSync(own, text, { mode: 0o600 });
  try {
    for (let attempt = 0; !tryLink(own, file); attempt += 1) {
      const owner = readOwner(file);
      if (owner !== undefined && (holds(owner, file) || attempt > 3)) throw new DirectoryInUse(directory, owner.pid);
      removeStale(directory, file, owner);
    }
  } finally {
    rmSync(own, { force: true });
  }
  heldHere.add(file);
  return {
    release: () => {
      if (!heldHere.delete(file)) return;
      rmSync(file, { force: true });
    },
  };
}

/** Returns the pid of the process that holds the lock of the directory, or undefined. */
export function directoryOwner(directory: string): number | undefined {
  const file = join(directory, 'lock');
  const owner = readOwner(file);
  return owner !== undefined && holds(owner, file) ? owner.pid : undefined;
}

/** Creates the lock by link(2), which is atomic: readers never see a partly written owner. */
function tryLink(own: string, file: string): boolean {
  try {
    linkSync(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Owner;
  } catch (error) {
    // The lock was released in the meantime, or truncated by a power loss: no process holds it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Removes a stale lock. If two processes find the same one, the later process may move the new lock of the other; it detects that
 * and restores the lock.
 */
function removeStale(directory: string, file: string, stale: Owner | undefined): void {
  const renamedFile = join(directory, `lock.${process.pid}.stale`);
  try {
    renameSync(file, renamedFile);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readOwner(renamedFile);
  if (moved !== undefined && moved.pid !== stale?.pid) tryLink(renamedFile, file);
  rmSync(renamedFile, { force: true });
}

function holds(owner: Owner, file: string): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const started = startOf(owner.pid);
  // In a container, each restart may get the same pid. Without start times, a lock with our own pid is live only if this process
  // took it.
  if (started === unknownStart && owner.pid === process.pid) return heldHere.has(file);
  return started === owner.started;
}

const unknownStart = 'unknown';

function startOf(pid: number): string {
  return process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);
}

function startOnLinux(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The command is in parentheses and may contain spaces. The state follows it; the start time is the twentieth field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie process still has a pid but holds no lock.
    return fields[0] === 'Z' || fields[0] === 'X' ? 'ended' : `${boot}/${fields[19] ?? ''}`;
  } catch {
    return unknownStart;
  }
}

function startElsewhere(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 5_000,
    }).trim();
  } catch {
    return unknownStart;
  }
}
