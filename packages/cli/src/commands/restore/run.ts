import { type FileHandle, open, readdir, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { InvalidBackup, restoreBackup } from '@slipway/apiserver';
import { type Manifest, objectsName, writerOf } from '../../archive/backup-format.js';
import { type BackupArchive, invalidBackupError, readBackup } from '../../archive/read-backup.js';
import { chunksOf, type TarEntry } from '../../archive/tar.js';
import { CliError, exitCodes, onFile, systemCode } from '../../errors/index.js';
import { type DataDirectory, dataDirectory, makeDirectory } from '../../instance/index.js';
import type { RestoreOptions } from './command.js';

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
    const backup = await readBackup(source, archive);
    await onFile('write', directory.root, async () => {
      await gather(directory, archive, backup, options.bumpRevision);
      await moveIntoPlace(directory);
    });
    process.stdout.write(restoredText(backup.manifest, directory));
  } catch (error) {
    await rm(directory.restoring, { recursive: true, force: true });
    throw error instanceof InvalidBackup ? invalidBackupError(source, error.message) : error;
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

async function gather(
  directory: DataDirectory,
  archive: FileHandle,
  { manifest, entries }: BackupArchive,
  revisionBump: number,
): Promise<void> {
  const { restoring } = directory;
  await rm(restoring, { recursive: true, force: true });
  await makeDirectory(restoring);
  for (const entry of entries) await extract(archive, entry, join(restoring, entry.name));
  const objects = join(restoring, objectsName);
  await restoreBackup(objects, join(restoring, 'store'), { revisionBump, writer: writerOf(manifest) });
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
