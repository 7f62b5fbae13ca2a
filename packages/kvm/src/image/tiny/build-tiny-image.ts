import { copyFile, mkdir, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { runCommand } from '@slipway/base';
import { storeNamedImage } from '../named-image.js';
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
import { type KernelFiles, kernelFilesIn, type KernelPackage } from './kernel-files.js';

/** Files of a minimal guest that boots in seconds, even without hardware acceleration. */
export interface TinyImage {
  readonly kernel: string;
  readonly initrd: string;
  /** Root disk on which the guest records which bootstrap data it has run. */
  readonly disk: string;
}

export interface TinyImageOptions {
  readonly directory: string;
  /** Defaults to `linux-image-amd64`, which supports all features. */
  readonly kernelPackage?: KernelPackage;
  /** Path of a statically linked busybox. */
  readonly busybox?: string;
  readonly signal?: AbortSignal;
}

const diskBytes = 16 * 1024 ** 2;

/** UUID of the file system. Constant, as in node images, so that the build is reproducible. */
const fileSystemId = '5ce0f1a0-0000-4000-8000-000000000002';

/** Builds an image from a Debian kernel and busybox. The build is reproducible. */
export async function buildTinyImage(options: TinyImageOptions): Promise<TinyImage> {
  const { directory, kernelPackage = 'linux-image-amd64', busybox = '/bin/busybox', signal } = options;
  const image: TinyImage = {
    kernel: join(directory, 'vmlinuz'),
    initrd: join(directory, 'initrd.img'),
    disk: join(directory, 'disk.raw'),
  };
  await mkdir(directory, { recursive: true });
  const files = await kernelFilesIn(directory, kernelPackage, signal);
  // The work directory is in the target directory, so that the final rename is atomic with concurrent builds.
  const work = await mkdtemp(join(directory, '.build-'));
  try {
    await copyFile(files.kernel, join(work, 'vmlinuz'));
    await writeFile(join(work, 'initrd.img'), await gzipped(writeCpio(await initialFiles(files, busybox))));
    await makeDisk(join(work, 'disk.raw'), signal);
    for (const path of Object.values(image) as string[]) await rename(join(work, basename(path)), path);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  return image;
}

/** Adds the image to the image store of this host under a name for `spec.image.name`. */
export async function storeTinyImage(image: TinyImage, imageDirectory: string, name: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'slipway-tiny-'));
  try {
    const disk = join(work, 'disk.qcow2');
    await runCommand('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', image.disk, disk]);
    const commandLine = 'console=ttyS0 quiet panic=-1';
    await storeNamedImage(imageDirectory, name, { kernel: image.kernel, initrd: image.initrd, disk, commandLine });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

const gzipped = promisify(gzip);

async function makeDisk(path: string, signal?: AbortSignal): Promise<void> {
  await writeFile(path, '');
  await truncate(path, diskBytes);
  const form = ['-q', '-t', 'ext4', '-O', '^has_journal', '-U', fileSystemId, '-E', `hash_seed=${fileSystemId}`];
  // The time is 1, because mke2fs interprets 0 as the current time.
  await runCommand('env', ['E2FSPROGS_FAKE_TIME=1', 'mke2fs', ...form, path], { signal });
}

async function initialFiles({ modules }: KernelFiles, busybox: string): Promise<ArchivedFile[]> {
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
    text('modules/order', modules.map((path) => `${basename(path)}\n`).join('')),
    ...(await Promise.all(modules.map(moduleFile))),
  ];
}

async function moduleFile(path: string): Promise<ArchivedFile> {
  return { path: `modules/${basename(path)}`, mode: 0o644, content: await readFile(path) };
}
