import { type FileHandle, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InvalidBackup, restoreBackup } from '@slipway/apiserver';
import {
  archiveFormat,
  identityFiles,
  type Manifest,
  manifestName,
  objectsName,
  parseManifest,
} from '../../archive/backup-format.js';
import { chunksOf, digestOf, MalformedArchive, readEntries, type TarEntry } from '../../archive/tar.js';
import { CliError, exitCodes, onFile, systemCode } from '../../errors/index.js';
import { type DataDirectory, dataDirectory, makeDirectory } from '../../instance/index.js';
import type { RestoreOptions } from './command.js';

const manifestBytesMax = 1_048_576;

/**
 * Extracts and verifies all files in a staging directory inside the new directory, then moves them into place, the objects
 * last. `slipway up` refuses to start while the staging directory exists, so that it never serves a partial restore.
 */
export async function restore(file: string, options: RestoreOptions): Promise<void> {
  const directory = dataDirectory(options.dataDir);
  const source = resolve(file);
  await refuseUsed(directory);
  const archive = await onFile('read', source, () => open(source, 'r'));
  try {
    const { manifest, entries } = await readArchive(source, archive);
    await onFile('write', directory.root, async () => {
      await gather(directory, archive, entries, options.bumpRevision);
      await moveIntoPlace(directory);
    });
    process.stdout.write(restoredText(manifest, directory));
  } catch (error) {
    await rm(directory.restoring, { recursive: true, force: true });
    throw error instanceof InvalidBackup ? damaged(source, error.message) : error;
  } finally {
    await archive.close();
  }
}

function restoredText(manifest: Manifest, { root }: DataDirectory): string {
  return (
    `Restored ${manifest.objects} objects as of ${manifest.takenAt} into ${root}\n` +
    `Start the management plane with \`slipway up --data-dir ${root}\`\n`
  );
}

async function refuseUsed(directory: DataDirectory): Promise<void> {
  const names = await onFile('use', directory.root, async () => {
    try {
      return await readdir(directory.root);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    }
  });
  // Files of an interrupted restore may be replaced.
  if (names.every((name) => directory.restoring === join(directory.root, name))) return;
  throw new CliError(`${directory.root} is not empty: a restore does not overwrite existing files`, {
    remedy: 'set --data-dir to a new directory, or move this one away first',
    exitCode: exitCodes.inUse,
  });
}

interface Archive {
  readonly manifest: Manifest;
  /** The files except the manifest, with verified names and digests. */
  readonly entries: readonly TarEntry[];
}

async function readArchive(source: string, archive: FileHandle): Promise<Archive> {
  const entries = await entriesOf(source, archive);
  const [first, ...rest] = entries;
  const text = first?.name === manifestName && first.size <= manifestBytesMax ? await readText(archive, first) : '';
  const manifest = parseManifest(text);
  if (manifest === undefined) throw damaged(source, 'it is not a Slipway backup');
  if (manifest.format > archiveFormat) {
    throw new CliError(`${source} was written by a newer version (${manifest.version}, format ${manifest.format})`, {
      remedy: 'restore it with that version of slipway',
    });
  }
  await checkContent(source, archive, manifest, rest);
  return { manifest, entries: rest };
}

async function entriesOf(source: string, archive: FileHandle): Promise<TarEntry[]> {
  try {
    return await readEntries(archive);
  } catch (error) {
    throw error instanceof MalformedArchive ? damaged(source, error.message) : error;
  }
}

async function checkContent(
  source: string,
  archive: FileHandle,
  manifest: Manifest,
  entries: readonly TarEntry[],
): Promise<void> {
  const known: ReadonlySet<string> = new Set([objectsName, ...identityFiles]);
  const names = entries.map(({ name }) => name);
  for (const { name, start, size } of entries) {
    // Rejecting unknown names also prevents path traversal out of the directory.
    if (!known.has(name)) throw damaged(source, `it contains an unexpected file: ${JSON.stringify(name)}`);
    if ((await digestOf(archive, start, size)) !== manifest.digests[name]) {
      throw damaged(source, `the checksum of ${name} does not match`);
    }
  }
  const missing = [objectsName, ...Object.keys(manifest.digests)].find((name) => !names.includes(name));
  if (missing !== undefined) throw damaged(source, `it does not contain ${missing}`);
}

async function gather(
  directory: DataDirectory,
  archive: FileHandle,
  entries: readonly TarEntry[],
  revisionBump: number,
): Promise<void> {
  const { restoring } = directory;
  await rm(restoring, { recursive: true, force: true });
  await makeDirectory(restoring);
  for (const entry of entries) await extract(archive, entry, join(restoring, entry.name));
  const objects = join(restoring, objectsName);
  await restoreBackup(objects, join(restoring, 'store'), { revisionBump });
  await rm(objects);
}

async function extract(archive: FileHandle, entry: TarEntry, path: string): Promise<void> {
  await makeDirectory(dirname(path));
  const handle = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of chunksOf(archive, entry.start, entry.size)) await handle.writeFile(chunk);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function moveIntoPlace(directory: DataDirectory): Promise<void> {
  const { restoring, root } = directory;
  const names = await readdir(restoring);
  for (const name of names.toSorted()) await rename(join(restoring, name), join(root, name));
  await rmdir(restoring);
}

async function readText(archive: FileHandle, { start, size }: TarEntry): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(archive, start, size)) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

function damaged(source: string, problem: string): CliError {
  return new CliError(`${source} cannot be restored: ${problem}`, {
    remedy: 'use another backup; nothing was written',
  });
}
