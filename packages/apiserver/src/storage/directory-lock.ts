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
  /** What tells a process from a later one with the same pid: boot and start time, where the system shows them. */
  readonly started: string;
}

/** Lock files held by this very process. */
const heldHere = new Set<string>();

/**
 * One process per directory. The lock is a file that names its owner; a file whose owner is gone (kill -9, power loss) is
 * taken over. A data directory must not be shared between machines or containers, where a pid means nothing.
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

/** The process that holds the directory, if one does. */
export function directoryOwner(directory: string): number | undefined {
  const file = join(directory, 'lock');
  const owner = readOwner(file);
  return owner !== undefined && holds(owner, file) ? owner.pid : undefined;
}

/** A link appears whole or not at all, so that nobody ever reads half an owner. */
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
    // Released in the meantime, or cut short by a power loss: nobody holds it.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Two processes may find the same leftover; the one that comes late would move the other's new lock and puts it back. */
function removeStale(directory: string, file: string, stale: Owner | undefined): void {
  const aside = join(directory, `lock.${process.pid}.stale`);
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const moved = readOwner(aside);
  if (moved !== undefined && moved.pid !== stale?.pid) tryLink(aside, file);
  rmSync(aside, { force: true });
}

function holds(owner: Owner, file: string): boolean {
  try {
    process.kill(owner.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  const started = startOf(owner.pid);
  // In a container every life of a server may have the same pid; where the system tells no start times, we know our own.
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
    // The command stands in parentheses and may hold spaces; the state comes after it, and the start time as twentieth.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A killed process that its parent has not collected yet still has a pid, and holds nothing any more.
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
