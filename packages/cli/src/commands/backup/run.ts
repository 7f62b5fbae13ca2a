import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { type FileHandle, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { backupDirectory, DamagedStore, UnsupportedFormat } from '@slipway/apiserver';
import { systemClock } from '@slipway/base';
import { archiveFormat, identityFiles, type Manifest, manifestName, objectsName } from '../../archive/backup-format.js';
import { appendFile, appendText, digestOf, endArchive } from '../../archive/tar.js';
import { CliError, exitCodes, onFile, systemCode } from '../../errors/index.js';
import { type DataDirectory, dataDirectory } from '../../instance/index.js';
import { bytesText } from '../../output/index.js';
import { damagedStoreError } from '../../plane/start-errors.js';
import { slipwayVersion } from '../../version.js';
import type { BackupOptions } from './command.js';

/** Writes the backup to a temporary file in the same directory and renames it after fsync. */
export async function backup(file: string, options: BackupOptions): Promise<void> {
  const directory = dataDirectory(options.dataDir);
  const target = resolve(file);
  if (options.force !== true && existsSync(target)) {
    throw new CliError(`${target} already exists`, {
      remedy: 'choose another file name, or overwrite the file with --force',
      exitCode: exitCodes.inUse,
    });
  }
  const partial = `${target}.${process.pid}.partial`;
  const objects = `${partial}-objects`;
  try {
    const manifest = await onFile('write', target, () => writeParts(directory, objects, partial));
    await onFile('write', target, async () => {
      await rename(partial, target);
      await syncDirectory(dirname(target));
    });
    const { size } = await stat(target);
    process.stdout.write(
      `Backed up ${manifest.objects} objects at revision ${manifest.revision} to ${target} (${bytesText(size)})\n`,
    );
  } finally {
    await rm(objects, { force: true });
    await rm(partial, { force: true });
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
      ...taken,
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

async function takeObjects(directory: DataDirectory, file: string): Promise<{ revision: number; objects: number }> {
  try {
    const taken = await backupDirectory(directory.store, file);
    if (taken !== undefined) return taken;
  } catch (error) {
    if (error instanceof DamagedStore) throw damagedStoreError(error);
    if (error instanceof UnsupportedFormat) throw new CliError(error.message, { cause: error });
    throw error;
  }
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
