import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CommandError, identify, isAlive, runCommand } from '@slipway/base';
import { MachineProblem } from '../errors.js';
import { readJson, replaceFile } from '../layout.js';
import { type Perform, performDirectly } from '../local-scope.js';
import { download, versionOf } from './download.js';
import { type ImageInfo, readImage } from './image-info.js';

/** A file that machines need: a disk image, which becomes qcow2, or a kernel, which stays as it is. */
export interface WantedFile {
  readonly kind: 'disk' | 'boot';
  readonly url: string;
  /** Of the file at the URL. */
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

/** A file that is not there yet. */
export interface Fetching {
  readonly bytes: number;
}

/**
 * Images by their contents: none ever changes, since disks of machines are built on top of them. A file is fetched once
 * however many machines wait for it, beside all reconciles, and becomes visible when it is whole and its checksum is right.
 */
export class ImageStore {
  readonly #directory: string;
  readonly #jobs = new Map<string, Job>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** The file, or how far it is; `onChange` is called once when that changes. */
  async ensure(
    wanted: WantedFile,
    onChange: () => void,
    perform: Perform = performDirectly,
  ): Promise<StoredFile | Fetching> {
    const key = await sourceKey(wanted);
    const stored = await this.#find(key);
    if (stored !== undefined) return stored;
    const job = this.#jobs.get(key);
    if (job?.error !== undefined) {
      // The next look tries again: the user may have put the file there.
      this.#jobs.delete(key);
      throw job.error;
    }
    if (job !== undefined) job.waiting.add(onChange);
    else
      await perform({
        action: 'download image',
        reason: 'ImageDownloading',
        message: `Downloading ${wanted.url}`,
        run: async () => this.#start(key, wanted, onChange),
      });
    return { bytes: job?.bytes ?? 0 };
  }

  /** One that was put here by name, such as by `slipway image build`. */
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

  #start(key: string, wanted: WantedFile, onChange: () => void): void {
    // Another machine may have started it in the meantime.
    const present = this.#jobs.get(key);
    if (present !== undefined) return void present.waiting.add(onChange);
    const job: Job = { waiting: new Set([onChange]), bytes: 0 };
    this.#jobs.set(key, job);
    this.#fetch(key, wanted, job)
      .then(() => this.#jobs.delete(key))
      .catch((error: Error) => (job.error = error))
      .finally(() => {
        for (const tell of job.waiting) tell();
      });
  }

  async #fetch(key: string, wanted: WantedFile, job: Job): Promise<void> {
    await mkdir(this.#directory, { recursive: true });
    const fresh = join(this.#directory, await freshName());
    await removeAbandoned(this.#directory);
    try {
      const digest = await download(wanted.url, fresh, (bytes) => (job.bytes = bytes));
      if (wanted.sha256 !== undefined && wanted.sha256 !== digest)
        throw new MachineProblem(
          'ImageReady',
          'ImageChecksumMismatch',
          `${wanted.url} has the checksum sha256:${digest}, and sha256:${wanted.sha256} is wanted: correct the one that is wrong`,
        );
      const stored = await this.#place(wanted.kind, fresh, digest);
      await replaceFile(join(this.#directory, 'sources', `${key}.json`), JSON.stringify(stored));
    } finally {
      await rm(fresh, { force: true });
    }
  }

  async #place(kind: WantedFile['kind'], fresh: string, digest: string): Promise<StoredFile> {
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

/** Says whose it is, so that whoever comes after a process that was killed can tell what nobody works on any more. */
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
    throw new MachineProblem('ImageReady', reason, `the image could not be turned into qcow2: ${error.output}`);
  } finally {
    await rm(converted, { force: true });
  }
}

/** Names what is fetched. A file of this host is another one when it was written to. */
async function sourceKey({ kind, url, sha256 }: WantedFile): Promise<string> {
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
