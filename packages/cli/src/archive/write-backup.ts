import { createHash } from 'node:crypto';
import { type FileHandle, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { backupDirectory, type TakenBackup } from '@slipway/apiserver';
import { systemClock } from '@slipway/base';
import { CliError, onFile, systemCode } from '../errors/index.js';
import type { DataDirectory } from '../instance/index.js';
import { slipwayVersion } from '../version.js';
import { archiveFormat, identityFiles, type Manifest, manifestName, objectsName } from './backup-format.js';
import { unreadableStoreError } from './store-errors.js';
import { appendFile, appendText, digestOf, endArchive } from './tar.js';

/** Writes a backup to a temporary file in the directory of `target` and renames it after fsync. */
export async function writeBackup(directory: DataDirectory, target: string): Promise<Manifest> {
  const partial = `${target}.${process.pid}.partial`;
  const objects = `${partial}-objects`;
  try {
    return await onFile('write', target, async () => {
      const manifest = await writeParts(directory, objects, partial);
      await rename(partial, target);
      await syncDirectory(dirname(target));
      return manifest;
    });
  } finally {
    // Nothing to remove if the directory cannot be used; the error of the write explains it.
    for (const file of [objects, partial]) await rm(file, { force: true }).catch(() => undefined);
  }
}

async function writeParts(directory: DataDirectory, objects: string, partial: string): Promise<Manifest> {
  const taken = await takeObjects(directory, objects);
  const source = await open(objects, 'r');
  const archive = await open(partial, 'wx', 0o600);
  try {
    const identity = await readIdentity(directory);
    const now = systemClock.now();
    const manifest: Manifest = {
      format: archiveFormat,
      version: slipwayVersion,
      takenAt: new Date(now).toISOString(),
      revision: taken.revision,
      objects: taken.objects,
      data: taken.version,
      digests: { ...digestsOf(identity), [objectsName]: await digestOf(source, 0, (await source.stat()).size) },
    };
    await writeArchive(archive, manifest, identity, source, now);
    return manifest;
  } finally {
    await archive.close();
    await source.close();
  }
}

async function writeArchive(
  archive: FileHandle,
  manifest: Manifest,
  identity: ReadonlyMap<string, string>,
  objects: FileHandle,
  now: number,
): Promise<void> {
  await appendText(archive, manifestName, `${JSON.stringify(manifest, undefined, 2)}\n`, now);
  for (const [name, text] of identity) await appendText(archive, name, text, now);
  await appendFile(archive, objectsName, objects, now);
  await endArchive(archive);
  await archive.sync();
}

async function takeObjects(directory: DataDirectory, file: string): Promise<TakenBackup> {
  let taken: TakenBackup | undefined;
  try {
    taken = await backupDirectory(directory.store, file);
  } catch (error) {
    throw await unreadableStoreError(directory, error);
  }
  if (taken !== undefined) return taken;
  throw new CliError(`no data found in ${directory.root}`, {
    remedy: 'set --data-dir to the data directory of a management plane',
  });
}

/** Reads the keys of the data directory. Missing keys are generated again at the next start, as without a backup. */
async function readIdentity(directory: DataDirectory): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of identityFiles) {
    try {
      found.set(name, await readFile(join(directory.root, name), 'utf8'));
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }
  return found;
}

function digestsOf(files: ReadonlyMap<string, string>): Record<string, string> {
  const digests: Record<string, string> = {};
  for (const [name, text] of files) digests[name] = createHash('sha256').update(text).digest('hex');
  return digests;
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
