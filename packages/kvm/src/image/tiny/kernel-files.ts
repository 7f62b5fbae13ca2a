import { createHash } from 'node:crypto';
import { access, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { CommandError, runCommand } from '@slipway/base';

/** A kernel and the modules that a guest loads. */
export interface KernelFiles {
  readonly kernel: string;
  /** Module files, each after its dependencies. */
  readonly modules: readonly string[];
}

/** Debian's cloud kernel boots in half the time, but has no 9p, which host directories require. */
export type KernelPackage = 'linux-image-amd64' | 'linux-image-cloud-amd64';

/** Modules that the guest loads. Their dependencies are read from the files; names without a file are built in. */
const requiredModules = [
  'virtio_pci',
  'virtio_blk',
  'virtio_net',
  'virtio_console',
  'isofs',
  // Listed explicitly, because no module depends on it: file systems request the algorithm at run time, and the guest has no
  // modprobe.
  'crc32c_generic',
  'ext4',
  'evdev',
  'button',
  'qemu_fw_cfg',
  '9pnet_virtio',
  '9p',
];

/** Extracts a kernel and its modules and caches them in the directory, because extraction is the slowest step of a build. */
export async function kernelFilesIn(
  directory: string,
  kernelPackage: KernelPackage,
  signal?: AbortSignal,
): Promise<KernelFiles> {
  const desired = createHash('sha256')
    .update([kernelPackage, ...requiredModules].join())
    .digest('hex');
  const kept = join(directory, `kernel-${desired.slice(0, 12)}`);
  const isThere = await access(kept).then(
    () => true,
    () => false,
  );
  if (!isThere) await keepKernel(kept, directory, kernelPackage, signal);
  const order = (await readFile(join(kept, 'order'), 'utf8')).split('\n').filter((name) => name !== '');
  return { kernel: join(kept, 'vmlinuz'), modules: order.map((name) => join(kept, name)) };
}

async function keepKernel(
  kept: string,
  directory: string,
  kernelPackage: KernelPackage,
  signal?: AbortSignal,
): Promise<void> {
  const work = await mkdtemp(join(directory, '.kernel-'));
  try {
    const unpacked = join(work, 'unpacked');
    const downloaded = await downloadKernel(work, kernelPackage, signal);
    await runCommand('dpkg-deb', ['-x', downloaded, unpacked], { signal, timeoutMs: 300_000 });
    const chosen = join(work, 'chosen');
    await mkdir(chosen);
    await copyFile(await kernelIn(unpacked), join(chosen, 'vmlinuz'));
    const order: string[] = [];
    for (const { name, path } of await moduleOrder(await modulePaths(unpacked))) {
      order.push(`${name}.ko`);
      await copyFile(path, join(chosen, `${name}.ko`));
    }
    await writeFile(join(chosen, 'order'), `${order.join('\n')}\n`);
    await rename(chosen, kept).catch((error: NodeJS.ErrnoException) => {
      // A concurrent build has cached the same files first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function downloadKernel(work: string, kernelPackage: KernelPackage, signal?: AbortSignal): Promise<string> {
  const depends = await runCommand('apt-cache', ['depends', kernelPackage], { signal });
  const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1];
  if (name === undefined)
    throw new CommandError(
      'apt-cache',
      undefined,
      `${kernelPackage} was not found in any package source: run apt-get update`,
    );
  await runCommand('apt-get', ['download', name], { cwd: work, signal, timeoutMs: 300_000 });
  const file = (await readdir(work)).find((each) => each.endsWith('.deb'));
  return join(work, file ?? '');
}

async function kernelIn(unpacked: string): Promise<string> {
  const boot = join(unpacked, 'boot');
  const name = (await readdir(boot)).find((each) => each.startsWith('vmlinuz-'));
  if (name === undefined) throw new Error(`${unpacked} does not contain a kernel`);
  return join(boot, name);
}

/** Returns module paths by module name. The kernel treats a hyphen and an underscore in names as equal. */
async function modulePaths(unpacked: string): Promise<Map<string, string>> {
  const folder = join(unpacked, 'lib', 'modules');
  const found = new Map<string, string>();
  for (const path of await readdir(folder, { recursive: true }))
    if (path.endsWith('.ko')) found.set(basename(path, '.ko').replaceAll('-', '_'), join(folder, path));
  return found;
}

interface Module {
  readonly name: string;
  readonly path: string;
}

async function moduleOrder(paths: ReadonlyMap<string, string>): Promise<Module[]> {
  const order = new Map<string, Module>();
  const add = async (name: string): Promise<void> => {
    const path = paths.get(name);
    if (path === undefined || order.has(name)) return;
    for (const needed of neededBy(await readFile(path))) await add(needed);
    order.set(name, { name, path });
  };
  for (const name of requiredModules) await add(name);
  return [...order.values()];
}

/** Returns the names of the modules that a module depends on, from its module information section. */
export function neededBy(module: Buffer): string[] {
  const key = '\0depends=';
  const at = module.indexOf(key);
  if (at < 0) return [];
  const text = module.toString('latin1', at + key.length, module.indexOf(0, at + key.length));
  return text.split(',').flatMap((name) => (name === '' ? [] : [name.replaceAll('-', '_')]));
}
