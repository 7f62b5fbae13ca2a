import { readdirSync, readFileSync, rmSync } from 'node:fs';

/**
 * Removes the folder of a host that a test played, and ends whatever still runs out of it: machines outlive Slipway on
 * purpose, and so they outlive a test that failed before it removed them.
 */
export function removeHost(folder: string | undefined): void {
  if (folder === undefined) return;
  for (const pid of processesNaming(folder)) end(pid);
  // Until the kernel is done with them they may still write.
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** Processes with the folder, which no other run has, among their arguments. */
export function processesNaming(folder: string): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((pid) => pid !== process.pid && argumentsOf(pid).includes(folder));
}

function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    // It has just ended.
    return '';
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has just ended.
  }
}
