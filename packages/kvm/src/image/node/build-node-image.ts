import { access, chmod, copyFile, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { CommandError, runCommand } from '@slipway/base';
import type { NamedImage } from '../../local/images/index.js';
import { storeNamedImage } from '../named-image.js';
import { finishScript, nodeFiles, nodePackages } from './node-packages.js';

export interface NodeImageOptions {
  /** Name that machines refer to in `spec.image.name`. */
  readonly name: string;
  /** Image store of this host, which the local backend uses. */
  readonly imageDirectory: string;
  /** Debian release to install, such as `bookworm`. */
  readonly suite: string;
  /** Package source: a URL or an apt source file. Defaults to the apt sources of this host. */
  readonly source?: string;
  /** Additional packages, such as kubeadm and kubelet if the source has them. */
  readonly packages: readonly string[];
  /** Files to add, by path in the image: kubeadm and kubelet binaries, container image archives. */
  readonly files: Readonly<Record<string, string>>;
  readonly diskBytes: number;
  /** Modification time of every file, in seconds since the epoch. It makes builds reproducible. */
  readonly sourceDateEpoch: number;
  readonly onProgress: (step: string) => void;
  readonly signal?: AbortSignal;
}

/** The image could not be built. The message contains the remedy. */
export class ImageBuildError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'ImageBuildError';
  }
}

const buildTimeoutMs = 3_600_000;
/**
 * Hook that lets each machine generate its iSCSI initiator name on first boot. The package would generate one at build time,
 * which all machines of the image would share.
 */
const initiatorHook = 'mkdir -p "$1/etc/iscsi"; echo GenerateName=yes > "$1/etc/iscsi/initiatorname.iscsi"';
/** UUID of the file system. Constant, so that images differ only in their contents. */
const fileSystemId = '5ce0f1a0-0000-4000-8000-000000000001';

/** Builds a node image: installs packages into a file system, creates the disk and extracts the kernel. */
export async function buildNodeImage(options: NodeImageOptions): Promise<NamedImage> {
  await checkTools();
  await checkFiles(options.files);
  const work = await mkdtemp(join(tmpdir(), 'slipway-image-'));
  try {
    const root = join(work, 'root');
    options.onProgress('installing packages');
    await installPackages(root, work, options);
    options.onProgress('copying files into the image');
    await addFiles(root, work, options);
    options.onProgress('creating the disk');
    const disk = await makeDisk(root, work, options);
    options.onProgress('storing the image');
    return await store(root, disk, options);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function checkTools(): Promise<void> {
  const missing: string[] = [];
  for (const program of ['mmdebstrap', 'mke2fs', 'qemu-img', 'chroot'])
    await runCommand('sh', ['-c', `command -v ${program}`]).catch(() => missing.push(program));
  if (missing.length > 0)
    throw new ImageBuildError(
      `${missing.join(', ')} not found: install mmdebstrap, e2fsprogs and qemu-utils (Debian: apt-get install), and add /usr/sbin to PATH`,
    );
  if (process.getuid?.() !== 0)
    throw new ImageBuildError('building an image requires root, because its files are owned by root');
}

async function checkFiles(files: Readonly<Record<string, string>>): Promise<void> {
  for (const [target, source] of Object.entries(files)) {
    if (!target.startsWith('/')) throw new ImageBuildError(`"${target}" is not an absolute path in the image`);
    await access(source).catch(() => {
      throw new ImageBuildError(`${source}, for ${target} in the image, does not exist`);
    });
  }
}

async function installPackages(root: string, work: string, options: NodeImageOptions): Promise<void> {
  const { suite, packages, signal, sourceDateEpoch } = options;
  const source = options.source ?? (await ownSource());
  const include = [...new Set([...nodePackages, ...packages])].join(',');
  const args = [
    ['--variant=minbase', '--format=directory', '--mode=root', `--include=${include}`],
    ['--dpkgopt=path-exclude=/usr/share/man/*', '--dpkgopt=path-exclude=/usr/share/doc/*'],
    ['--dpkgopt=path-exclude=/usr/share/locale/*', '--aptopt=APT::Install-Recommends "false"'],
    [`--essential-hook=${initiatorHook}`],
    [suite, root, ...(source === undefined ? [] : [source])],
  ].flat();
  // Environment for a non-interactive build with a constant modification time for every file.
  const environment = [`SOURCE_DATE_EPOCH=${sourceDateEpoch}`, 'DEBIAN_FRONTEND=noninteractive', `TMPDIR=${work}`];
  try {
    await runCommand('env', [...environment, 'mmdebstrap', ...args], { signal, timeoutMs: buildTimeoutMs });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    throw new ImageBuildError(`failed to install packages from ${source ?? 'Debian'}: ${error.output}`);
  }
}

/** Returns the apt sources of this host. */
async function ownSource(): Promise<string | undefined> {
  for (const path of ['/etc/apt/sources.list.d/debian.sources', '/etc/apt/sources.list']) {
    const found = await stat(path).catch(() => undefined);
    if (found !== undefined && found.size > 0) return path;
  }
  return undefined;
}

async function addFiles(root: string, work: string, { files, signal }: NodeImageOptions): Promise<void> {
  for (const [path, content] of Object.entries(nodeFiles)) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, content, { mode: 0o644 });
  }
  for (const [path, source] of Object.entries(files)) {
    const target = join(root, path);
    await mkdir(dirname(target), { recursive: true });
    await copyFile(source, target);
    if (/\/s?bin\//.test(path)) await chmod(target, 0o755);
  }
  const script = join(work, 'finish.sh');
  await writeFile(script, finishScript);
  await runCommand('sh', [script, root], { signal, timeoutMs: 300_000 });
}

async function makeDisk(root: string, work: string, options: NodeImageOptions): Promise<string> {
  const { diskBytes, sourceDateEpoch, signal } = options;
  const time = `@${sourceDateEpoch}`;
  await runCommand('find', [root, '-newermt', time, '-exec', 'touch', '-h', '-d', time, '{}', '+'], {
    signal,
    timeoutMs: 300_000,
  });
  const raw = join(work, 'disk.raw');
  await writeFile(raw, '');
  await runCommand('truncate', ['-s', String(diskBytes), raw]);
  const form = ['-q', '-t', 'ext4', '-L', 'slipway', '-U', fileSystemId, '-E', `hash_seed=${fileSystemId}`, '-d', root];
  // At least 1, because mke2fs interprets 0 as the current time.
  const fileTime = Math.max(1, sourceDateEpoch);
  await runCommand('env', [`E2FSPROGS_FAKE_TIME=${fileTime}`, 'mke2fs', ...form, raw], {
    signal,
    timeoutMs: 1_200_000,
  });
  await setInodeTimes(raw, work, fileTime, signal);
  const disk = join(work, 'disk.qcow2');
  await runCommand('qemu-img', ['convert', '-f', 'raw', '-O', 'qcow2', '-c', raw, disk], {
    signal,
    timeoutMs: 1_200_000,
  });
  return disk;
}

/**
 * Rewrites the inode times of the file system: mke2fs copies the change and access times of the source files, which cannot be set
 * beforehand.
 */
async function setInodeTimes(raw: string, work: string, seconds: number, signal?: AbortSignal): Promise<void> {
  const reported = await runCommand('dumpe2fs', ['-h', raw], { signal });
  const numberOf = (name: string): number => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(reported)?.[1] ?? 0);
  // Number of the last inode in use: a new file system allocates inodes in order.
  const last = numberOf('Inode count') - numberOf('Free inodes');
  const lines: string[] = [];
  for (let inode = 2; inode <= last; inode += 1)
    for (const field of ['atime', 'ctime']) lines.push(`set_inode_field <${inode}> ${field} @${seconds}`);
  const script = join(work, 'times.debugfs');
  await writeFile(script, `${lines.join('\n')}\n`);
  await runCommand('env', [`E2FSPROGS_FAKE_TIME=${seconds}`, 'debugfs', '-w', '-f', script, raw], {
    signal,
    timeoutMs: 1_200_000,
  });
}

async function store(root: string, disk: string, { imageDirectory, name }: NodeImageOptions): Promise<NamedImage> {
  const boot = join(root, 'boot');
  const names = await readdir(boot);
  const find = (prefix: string): string => join(boot, names.find((each) => each.startsWith(prefix)) ?? prefix);
  return storeNamedImage(imageDirectory, name, {
    disk,
    kernel: find('vmlinuz-'),
    initrd: find('initrd.img-'),
    commandLine: 'console=ttyS0 root=LABEL=slipway rw ds=nocloud',
  });
}
