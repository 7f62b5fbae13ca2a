import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, realpath, rename, rm, stat } from 'node:fs/promises';
import { join, resolve, sep } from 'node:path';
import { CommandError, identify, isAlive, runCommand } from '@slipway/base';
import { MachineProblem } from '../errors.js';
import { readJson, replaceFile } from '../layout.js';
import { type Perform, performDirectly } from '../local-scope.js';
import { download, localPath, versionOf } from './download.js';
import { type ImageInfo, readImage } from './image-info.js';

/** A file that machines need: a disk image, which is converted to qcow2, or a kernel, which is kept unchanged. */
export interface RequiredFile {
  readonly kind: 'disk' | 'boot';
  readonly url: string;
  /** Checksum of the file at the URL. */
  readonly sha256: string | undefined;
}

export interface StoredFile extends ImageInfo {
  readonly path: string;
}

interface Job {
  readonly waiting: Set<() => void>;
  bytes: number;
  error?: Error;
}

/** A file that is still being downloaded. */
export interface Fetching {
  readonly bytes: number;
}

/**
 * Store of images by checksum. Stored images never change, because disks of machines are overlays of them. A file is downloaded
 * once for all machines that wait for it, outside of reconciles, and becomes visible when it is complete and verified.
 */
export class ImageStore {
  readonly #directory: string;
  readonly #jobs = new Map<string, Job>();

  constructor(
    directory: string,
    /** Directories whose files may be used by path or `file:` URL. Undefined allows every file that this process may read. */
    private readonly localFiles?: readonly string[],
  ) {
    this.#directory = directory;
  }

  /** Returns the stored file, or the progress of its download. In that case `onChange` is called once, when the download ends. */
  async ensure(
    desired: RequiredFile,
    onChange: () => void,
    perform: Perform = performDirectly,
  ): Promise<StoredFile | Fetching> {
    await this.#checkLocal(desired.url);
    const key = await sourceKey(desired);
    const stored = await this.#find(key);
    if (stored !== undefined) return stored;
    const job = this.#jobs.get(key);
    if (job?.error !== undefined) {
      // The next reconcile tries again: the user may have added the file.
      this.#jobs.delete(key);
      throw job.error;
    }
    if (job !== undefined) job.waiting.add(onChange);
    else
      await perform({
        action: 'download image',
        reason: 'ImageDownloading',
        message: `Downloading ${desired.url}`,
        run: async () => this.#start(key, desired, onChange),
      });
    return { bytes: job?.bytes ?? 0 };
  }

  /**
   * Rejects files outside the allowed directories: users who may create machines must not read arbitrary files of the host
   * through them.
   */
  async #checkLocal(url: string): Promise<void> {
    const path = localPath(url);
    if (path === undefined || this.localFiles === undefined) return;
    const file = await realpath(path).catch(() => resolve(path));
    for (const directory of this.localFiles) {
      const root = await realpath(directory).catch(() => resolve(directory));
      if (file.startsWith(join(root, sep))) return;
    }
    throw new MachineProblem(
      'ImageReady',
      'InvalidSpec',
      `${url} is not below a directory for local images: set SLIPWAY_IMAGE_DIRECTORY to the directory of the file and restart`,
    );
  }

  /** Returns an image that was added under a name, such as by `slipway image build`. */
  async byName(name: string): Promise<NamedImage | undefined> {
    const digest = /^sha256:([0-9a-f]{64})$/i.exec(name)?.[1]?.toLowerCase();
    if (digest === undefined) return readJson<NamedImage>(this.namedPath(name));
    const path = join(this.#directory, `sha256-${digest}.qcow2`);
    return (await exists(path)) ? { disk: path } : undefined;
  }

  namedPath(name: string): string {
    return join(this.#directory, 'named', `${name.replaceAll(/[^A-Za-z0-9_.-]/g, '_')}.json`);
  }

  async #find(key: string): Promise<StoredFile | undefined> {
    const found = await readJson<StoredFile>(join(this.#directory, 'sources', `${key}.json`));
    return found !== undefined && (await exists(found.path)) ? found : undefined;
  }

  #start(key: string, desired: RequiredFile, onChange: () => void): void {
    // Another machine may have started this download in the meantime.
    const present = this.#jobs.get(key);
    if (present !== undefined) return void present.waiting.add(onChange);
    const job: Job = { waiting: new Set([onChange]), bytes: 0 };
    this.#jobs.set(key, job);
    this.#fetch(key, desired, job)
      .then(() => this.#jobs.delete(key))
      .catch((error: Error) => (job.error = error))
      .finally(() => {
        for (const recordEvent of job.waiting) recordEvent();
      });
  }

  async #fetch(key: string, desired: RequiredFile, job: Job): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    const fresh = join(this.#directory, await freshName());
    await removeAbandoned(this.#directory);
    try {
      const digest = await download(desired.url, fresh, (bytes) => (job.bytes = bytes));
      if (desired.sha256 !== undefined && desired.sha256 !== digest)
        throw new MachineProblem(
          'ImageReady',
          'ImageChecksumMismatch',
          `${desired.url} has checksum sha256:${digest}, expected sha256:${desired.sha256}: correct the file or the checksum in the spec`,
        );
      const stored = await this.#place(desired.kind, fresh, digest);
      await replaceFile(join(this.#directory, 'sources', `${key}.json`), JSON.stringify(stored));
    } finally {
      await rm(fresh, { force: true });
    }
  }

  async #place(kind: RequiredFile['kind'], fresh: string, digest: string): Promise<StoredFile> {
    const path = join(this.#directory, `sha256-${digest}${kind === 'disk' ? '.qcow2' : ''}`);
    if (kind === 'disk') {
      const { format } = await readImage(fresh);
      if (format !== 'qcow2') await convert(fresh, format);
    }
    await chmod(fresh, 0o444);
    await rename(fresh, path);
    const info = kind === 'disk' ? await readImage(path) : { format: 'raw', virtualBytes: (await stat(path)).size };
    return { path, ...info };
  }
}

export interface NamedImage {
  readonly disk: string;
  readonly kernel?: string;
  readonly initrd?: string;
  readonly commandLine?: string;
}

/** Returns a file name with the ID of this process, so that files of killed processes can be recognized and removed. */
async function freshName(): Promise<string> {
  const own = await identify(process.pid);
  const owner = [process.pid, own?.startTime ?? 0, own?.bootId ?? ''].join('_');
  return `.fetch-${owner}_${randomUUID()}`;
}

async function removeAbandoned(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    const [, pid = '', startTime = '', bootId = ''] = /^\.fetch-(\d+)_(\w+)_([\w-]*)_/.exec(name) ?? [];
    if (pid === '' || (await isAlive({ pid: Number(pid), startTime, bootId }))) continue;
    await rm(join(directory, name), { force: true });
  }
}

async function convert(path: string, format: string): Promise<void> {
  const converted = `${path}.qcow2`;
  try {
    await runCommand('qemu-img', ['convert', '-f', format, '-O', 'qcow2', path, converted], { timeoutMs: 1_800_000 });
    await rename(converted, path);
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    const reason = /No space left/.test(error.output) ? 'InsufficientCapacity' : 'ImageMissing';
    throw new MachineProblem('ImageReady', reason, `failed to convert the image to qcow2: ${error.output}`);
  } finally {
    await rm(converted, { force: true });
  }
}

/** Returns the key of a download. A file of this host without a checksum gets another key when it changes. */
async function sourceKey({ kind, url, sha256 }: RequiredFile): Promise<string> {
  const version = sha256 === undefined ? await versionOf(url) : '';
  return createHash('sha256')
    .update([kind, sha256 ?? url, version].join('\n'))
    .digest('hex');
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}
