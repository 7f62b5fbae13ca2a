import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));

/** Returns user and system CPU time of the processes, including all threads. */
export function cpuMs(processIds: readonly number[]): number {
  let ticks = 0;
  for (const id of processIds) {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The fields are counted from the end of the program name, which is in parentheses and may contain spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    ticks += Number(fields[11]) + Number(fields[12]);
  }
  return (ticks * 1_000) / ticksPerSecond;
}

export function residentMegabytes(processIds: readonly number[]): number {
  let kilobytes = 0;
  for (const id of processIds) {
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    kilobytes += Number(/^VmRSS:\s+([0-9]+)/m.exec(status)?.[1] ?? 0);
  }
  return (kilobytes * 1_024) / 1e6;
}
