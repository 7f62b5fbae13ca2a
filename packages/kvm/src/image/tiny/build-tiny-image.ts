import { access, copyFile, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { CommandError, runCommand } from '@slipway/base';
import { type ArchivedFile, writeCpio } from './cpio.js';
import {
  agentScript,
  boothookScript,
  cloudConfigScript,
  ignitionScript,
  initScript,
  leaseScript,
  networkScript,
} from './init-script.js';

/** A guest that boots in seconds also without hardware acceleration. */
export interface TinyImage {
  readonly kernel: string;
  readonly initrd: string;
  /** A root disk on which it remembers what it has carried out. */
  readonly disk: string;
}

export interface TinyImageOptions {
  readonly directory: string;
  /** A Debian kernel package; absent: the newest is downloaded by apt-get. */
  readonly kernelPackage?: string;
  /** A static busybox. */
  readonly busybox?: string;
  readonly signal?: AbortSignal;
}

/** What it loads, and in which order: each after what it needs. */
const modules = [
  'virtio',
  'virtio_ring',
  'virtio_pci_legacy_dev',
  'virtio_pci_modern_dev',
  'virtio_pci',
  'virtio_blk',
  'failover',
  'net_failover',
  'virtio_net',
  'virtio_console',
  'cdrom',
  'isofs',
  'evdev',
  'button',
  'qemu_fw_cfg',
  'netfs',
  'fscache',
  '9pnet',
  '9pnet_virtio',
  '9p',
];

const diskBytes = 16 * 1024 ** 2;

/** Puts a kernel of Debian and a busybox together. The package of the kernel is kept, and not downloaded again. */
export async function buildTinyImage(options: TinyImageOptions): Promise<TinyImage> {
  const { directory, busybox = '/bin/busybox', signal } = options;
  const image: TinyImage = {
    kernel: join(directory, 'vmlinuz'),
    initrd: join(directory, 'initrd.img'),
    disk: join(directory, 'disk.raw'),
  };
  await mkdir(directory, { recursive: true });
  const work = await mkdtemp(join(tmpdir(), 'slipway-tiny-'));
  try {
    const unpacked = await unpackKernel(
      work,
      options.kernelPackage ?? (await kernelPackageIn(directory, signal)),
      signal,
    );
    const initrd = await gzipped(writeCpio(await initialFiles(unpacked, busybox)));
    await writeFile(join(work, 'initrd.img'), initrd);
    await writeFile(join(work, 'disk.raw'), '');
    await runCommand('truncate', ['-s', String(diskBytes), join(work, 'disk.raw')]);
    await runCommand('mke2fs', ['-q', '-t', 'ext4', '-O', '^has_journal', join(work, 'disk.raw')]);
    await copyFile(await kernelIn(unpacked), join(work, 'vmlinuz'));
    for (const path of Object.values(image) as string[]) {
      await copyFile(join(work, basename(path)), `${path}.new`);
      await rename(`${path}.new`, path);
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return image;
}

const gzipped = promisify(gzip);

async function kernelPackageIn(directory: string, signal?: AbortSignal): Promise<string> {
  const kept = join(directory, 'kernel.deb');
  const isThere = await access(kept).then(
    () => true,
    () => false,
  );
  if (isThere) return kept;
  const work = await mkdtemp(join(directory, '.download-'));
  try {
    await rename(await downloadKernel(work, signal), kept);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return kept;
}

async function unpackKernel(work: string, packagePath: string, signal?: AbortSignal): Promise<string> {
  const unpacked = join(work, 'kernel');
  await runCommand('dpkg-deb', ['-x', packagePath, unpacked], { signal });
  return unpacked;
}

async function downloadKernel(work: string, signal?: AbortSignal): Promise<string> {
  const depends = await runCommand('apt-cache', ['depends', 'linux-image-cloud-amd64'], { signal });
  const name = /Depends: (linux-image-\S+)/.exec(depends)?.[1];
  if (name === undefined)
    throw new CommandError(
      'apt-cache',
      undefined,
      'linux-image-cloud-amd64 is in no package source: run apt-get update',
    );
  await runCommand('apt-get', ['download', name], { cwd: work, signal, timeoutMs: 300_000 });
  const file = (await readdir(work)).find((each) => each.endsWith('.deb'));
  return join(work, file ?? '');
}

async function kernelIn(unpacked: string): Promise<string> {
  const boot = join(unpacked, 'boot');
  const name = (await readdir(boot)).find((each) => each.startsWith('vmlinuz-'));
  if (name === undefined) throw new Error(`${unpacked} has no kernel`);
  return join(boot, name);
}

async function initialFiles(unpacked: string, busybox: string): Promise<ArchivedFile[]> {
  const text = (path: string, content: string, mode = 0o644): ArchivedFile => ({
    path,
    mode,
    content: Buffer.from(content),
  });
  return [
    { path: 'bin/busybox', mode: 0o755, content: await readFile(busybox) },
    text('init', initScript, 0o755),
    text('cloud-config.awk', cloudConfigScript),
    text('ignition.sh', ignitionScript),
    text('network.awk', networkScript),
    text('boothook.awk', boothookScript),
    text('udhcpc.sh', leaseScript, 0o755),
    text('agent.sh', agentScript),
    text('modules/order', modules.map((name) => `${name}.ko\n`).join('')),
    ...(await moduleFiles(unpacked)),
  ];
}

async function moduleFiles(unpacked: string): Promise<ArchivedFile[]> {
  const folder = join(unpacked, 'lib', 'modules');
  const found = new Map<string, string>();
  for (const path of await readdir(folder, { recursive: true })) found.set(basename(path), join(folder, path));
  const files: ArchivedFile[] = [];
  for (const name of modules) {
    const path = found.get(`${name}.ko`);
    // What is not a module is built in.
    if (path !== undefined) files.push({ path: `modules/${name}.ko`, mode: 0o644, content: await readFile(path) });
  }
  return files;
}
