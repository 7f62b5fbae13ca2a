import { access, mkdir, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { readIfPresent } from '@slipway/base';

const mountPoint = '/sys/fs/cgroup';
const parentName = 'slipway-kvm';

export interface Limits {
  readonly memoryBytes: number;
  readonly cpuQuotaMilli?: number;
}

interface Setting {
  readonly folder: string;
  readonly file: string;
  readonly value: string;
}

const periodMicroseconds = 100_000;

/**
 * Limits the resources of the QEMU process with cgroups if permitted. Otherwise the machine runs without limits and the
 * reason is returned.
 */
export async function limitProcess(id: string, pid: number, limits: Limits): Promise<string | undefined> {
  try {
    const settings = await settingsOf(id, limits);
    for (const folder of new Set(settings.map((each) => each.folder))) await makeGroup(folder);
    for (const { folder, file, value } of settings) await writeFile(join(folder, file), value);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  } finally {
    for (const folder of await foldersOf(id))
      await writeFile(join(folder, 'cgroup.procs'), String(pid)).catch(() => undefined);
  }
}

/**
 * Creates the parent directory and then the directory, without a recursive mkdir: where cgroups are not mounted, the error of
 * sysfs makes a recursive mkdir of Node.js loop forever.
 */
async function makeGroup(folder: string): Promise<void> {
  for (const path of [dirname(folder), folder])
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
}

export async function removeCgroup(id: string): Promise<void> {
  for (const folder of await foldersOf(id)) await rmdir(folder).catch(() => undefined);
}

async function settingsOf(id: string, { memoryBytes, cpuQuotaMilli }: Limits): Promise<Setting[]> {
  const quota = cpuQuotaMilli === undefined ? undefined : Math.round((cpuQuotaMilli * periodMicroseconds) / 1000);
  const [memory = '', cpu = memory] = await foldersOf(id);
  if (await isUnified()) {
    const limit = { folder: memory, file: 'memory.max', value: String(memoryBytes) };
    return quota === undefined
      ? [limit]
      : [limit, { folder: memory, file: 'cpu.max', value: `${quota} ${periodMicroseconds}` }];
  }
  const limit = { folder: memory, file: 'memory.limit_in_bytes', value: String(memoryBytes) };
  return quota === undefined ? [limit] : [limit, { folder: cpu, file: 'cpu.cfs_quota_us', value: String(quota) }];
}

/** Returns the cgroup directories of a machine: one with cgroup v2, and one for each controller with cgroup v1. */
async function foldersOf(id: string): Promise<string[]> {
  if (await isUnified()) return [join(mountPoint, parentName, id)];
  const own = (await readIfPresent('/proc/self/cgroup')) ?? '';
  return ['memory', 'cpu'].map((controller) => {
    const path = new RegExp(`^\\d+:(?:[^:]*,)?${controller}(?:,[^:]*)?:(.*)$`, 'm').exec(own)?.[1] ?? '/';
    return join(mountPoint, controller, path, parentName, id);
  });
}

function isUnified(): Promise<boolean> {
  return access(join(mountPoint, 'cgroup.controllers')).then(
    () => true,
    () => false,
  );
}
