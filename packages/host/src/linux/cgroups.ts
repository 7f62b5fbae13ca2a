import { access, mkdir, readdir, readFile, rmdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, readIfPresent, sleep } from '@slipway/base';

const mountPoint = '/sys/fs/cgroup';
const parentName = 'slipway';

/**
 * Returns the cgroups of a machine, one per hierarchy. With cgroup v1 they are below the cgroup of Slipway, so that its limits
 * apply to machines too. With cgroup v2 they are at the top, because a cgroup that has processes cannot have children with
 * controllers.
 */
export async function machineCgroups(id: string): Promise<readonly string[]> {
  if (await isUnified()) return [join(mountPoint, parentName, id)];
  const own = await readFile('/proc/self/cgroup', 'utf8');
  return hierarchies(own, await readFile('/proc/self/mountinfo', 'utf8')).map((folder) => join(folder, parentName, id));
}

/** Returns the directory of this process in each cgroup v1 hierarchy, from `/proc/self/cgroup` and `/proc/self/mountinfo`. */
export function hierarchies(cgroup: string, mountinfo: string): string[] {
  const mounts = mountsByController(mountinfo);
  return [...cgroup.matchAll(/^\d+:([^:,]+)[^:]*:(.*)$/gm)].flatMap(([, controller = '', path = '']) => {
    const point = mounts.get(controller);
    return point === undefined ? [] : [join(point, path)];
  });
}

function mountsByController(mountinfo: string): Map<string, string> {
  const mounts = new Map<string, string>();
  // Fields of a line: number, parent, device, root, mount point, …, `-`, type, source, options.
  const line = /^\S+ \S+ \S+ \/ (\S+) .*? - cgroup \S+ (\S+)$/gm;
  for (const [, point = '', options = ''] of mountinfo.matchAll(line))
    for (const option of options.split(',')) mounts.set(option, point);
  return mounts;
}

export async function makeCgroups(folders: readonly string[]): Promise<void> {
  for (const folder of folders) {
    const parent = dirname(folder);
    await mkdir(parent, { recursive: true });
    if (await isUnified()) await enableControllers(parent);
    else await copyCpuset(parent);
    await mkdir(folder, { recursive: true });
    if (!(await isUnified())) await copyCpuset(folder);
  }
}

const emptyTimeoutMs = 20_000;
const pollMs = 50;

/** Removes cgroups with their children. Also removes their shared parent after the last machine. */
export async function removeCgroups(folders: readonly string[], clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + emptyTimeoutMs;
  for (const folder of folders) {
    while (!(await isRemoved(folder))) {
      if (clock.monotonic() > deadline) throw new Error(`the cgroup ${folder} still has processes`);
      // Poll: the processes of a machine exit shortly after its init process, and nothing reports the last exit.
      await sleep(clock, pollMs);
    }
    await rmdir(dirname(folder)).catch(() => undefined);
  }
}

async function isRemoved(folder: string): Promise<boolean> {
  try {
    await removeTree(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return false;
    throw error;
  }
}

async function removeTree(folder: string): Promise<void> {
  let entries;
  try {
    entries = await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  for (const entry of entries) if (entry.isDirectory()) await removeTree(join(folder, entry.name));
  await rmdir(folder);
}

function isUnified(): Promise<boolean> {
  return access(join(mountPoint, 'cgroup.controllers')).then(
    () => true,
    () => false,
  );
}

/** Sets the CPUs and memory nodes of a new cpuset cgroup. Processes can join only after both are set. */
async function copyCpuset(folder: string): Promise<void> {
  for (const name of ['cpuset.cpus', 'cpuset.mems']) {
    const above = await readIfPresent(join(dirname(folder), name));
    const here = await readIfPresent(join(folder, name));
    if (above === undefined || here === undefined || here.trim() !== '') continue;
    await writeFile(join(folder, name), above);
  }
}

const controllers = ['cpu', 'cpuset', 'io', 'memory', 'pids', 'hugetlb'];

/**
 * Enables controllers in every ancestor, because a cgroup has only the controllers that all of them delegate. Container runtimes
 * also delegate them from the root.
 */
async function enableControllers(folder: string): Promise<void> {
  for (const group of [mountPoint, folder]) {
    const available = ((await readIfPresent(join(group, 'cgroup.controllers'))) ?? '').trim().split(' ');
    const handed = ((await readIfPresent(join(group, 'cgroup.subtree_control'))) ?? '').trim().split(' ');
    const missing = controllers.filter((name) => available.includes(name) && !handed.includes(name));
    if (missing.length === 0) continue;
    await writeFile(join(group, 'cgroup.subtree_control'), missing.map((name) => `+${name}`).join(' '));
  }
}
