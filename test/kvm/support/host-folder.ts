import { readdirSync, readFileSync, rmSync } from 'node:fs';

/**
 * Removes the directory of a simulated host, and stops all processes that use it. Machines outlive Slipway by design, and so also
 * outlive a test that failed before it removed them.
 */
export function removeHost(folder: string | undefined): void {
  if (folder === undefined) return;
  for (const pid of processesNaming(folder)) end(pid);
  // Processes may still write until they have exited.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Returns the processes whose arguments contain the directory, which is unique to this run. */
export function processesNaming(folder: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => pid !== process.pid && argumentsOf(pid).includes(folder));
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // The process exited after it was listed.
    return '';
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // The process exited after it was listed.
  }
}
