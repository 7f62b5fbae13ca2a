import { basename, join } from 'node:path';
import { DamagedStore, UnsupportedFormat } from '@slipway/apiserver';
import { CliError } from '../errors/index.js';
import type { DataDirectory } from '../instance/index.js';
import { slipwayVersion } from '../version.js';
import { findUsableBackup } from './local-backups.js';

/** Explains why stored data cannot be read. Returns other errors unchanged. */
export async function unreadableStoreError(directory: DataDirectory, error: unknown): Promise<unknown> {
  if (error instanceof DamagedStore) return damagedStoreError(directory, error);
  if (error instanceof UnsupportedFormat) return unsupportedFormatError(directory, error);
  return error;
}

async function damagedStoreError(directory: DataDirectory, error: DamagedStore): Promise<CliError> {
  const backup = await findUsableBackup(directory, ['upgrade', 'schedule']);
  const which = backup === undefined ? 'a backup' : `the backup of ${backup.takenAt}`;
  const command = `slipway restore ${backup?.file ?? '<file>'} --data-dir <directory>`;
  return new CliError(error.message, {
    remedy: `restore ${which} into a new directory with \`${command}\`; the damaged file was not changed`,
    cause: error,
  });
}

async function unsupportedFormatError(directory: DataDirectory, error: UnsupportedFormat): Promise<CliError> {
  const { found, formatMax } = error;
  return newerDataError(
    directory,
    found.writer,
    `it has storage format ${found.format}, and slipway ${slipwayVersion} reads formats up to ${formatMax}`,
    error,
  );
}

/** Explains why this version must not use the data of a newer one, and how to return to earlier data. */
export async function newerDataError(
  directory: DataDirectory,
  writer: string | undefined,
  problem: string,
  cause?: unknown,
): Promise<CliError> {
  const { root } = directory;
  const version = writer === undefined ? 'a newer version of slipway' : `slipway ${writer}`;
  const backup = await findUsableBackup(directory, ['upgrade']);
  const aside = `${root}.${writer ?? 'newer'}`;
  const file = backup === undefined ? '<file>' : join(aside, 'backups', basename(backup.file));
  const from =
    backup === undefined ? 'a backup of this version' : `the backup of ${backup.takenAt}, before its upgrade`;
  return new CliError(`the data in ${root} was written by ${version}: ${problem}`, {
    remedy:
      `install ${version} again, or restore ${from}, without the changes since then: ` +
      `\`mv ${root} ${aside} && slipway restore ${file} --data-dir ${root}\`. No data was changed`,
    cause,
  });
}
