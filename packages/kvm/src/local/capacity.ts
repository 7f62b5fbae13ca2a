import { mkdir, statfs } from 'node:fs/promises';
import { readIfPresent } from '@slipway/base';
import type { MachineSize } from '../api/index.js';
import { MachineProblem } from './errors.js';

const mebibyte = 1024 ** 2;
/** Disks grow as they are written to; with less than this a machine would stop in the middle of its first boot. */
const diskFreeBytesMin = 256 * mebibyte;

/** A host that is full says so before a machine half runs. */
export async function checkCapacity(directory: string, size: MachineSize): Promise<void> {
  const available = /^MemAvailable:\s+(\d+) kB$/m.exec((await readIfPresent('/proc/meminfo')) ?? '')?.[1];
  const availableMiB = Math.floor(Number(available ?? Number.MAX_SAFE_INTEGER) / 1024);
  if (availableMiB < size.memoryMiB)
    throw new MachineProblem(
      'VMProvisioned',
      'InsufficientCapacity',
      `the machine has ${size.memoryMiB} MiB of memory and this host ${availableMiB} MiB to give: stop others, or make it smaller`,
    );
  await mkdir(directory, { recursive: true });
  const { bavail, bsize } = await statfs(directory);
  if (bavail * bsize < diskFreeBytesMin)
    throw new MachineProblem(
      'DisksReady',
      'InsufficientCapacity',
      `${directory} has ${Math.floor((bavail * bsize) / mebibyte)} MiB left: free at least ${diskFreeBytesMin / mebibyte} MiB`,
    );
}
