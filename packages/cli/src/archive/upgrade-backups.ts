import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gt, valid } from 'semver';
import { CliError, messageOf, onFile, systemCode } from '../errors/index.js';
import { type DataDirectory, makeDirectory } from '../instance/index.js';
import { slipwayVersion } from '../version.js';
import { type Manifest, writerOf } from './backup-format.js';
import { readBackup } from './read-backup.js';

/** Number of backups that are kept. Each further one replaces the oldest. */
const keptMax = 3;
/** Name of a backup: the time in UTC, and the version that changed the data afterwards. Names sort by age. */
const namePattern = /^\d{8}T\d{6}Z-before-.+\.backup$/;
const leftoverPattern = /^\d{8}T\d{6}Z-before-.+\.partial(?:-objects)?$/;

/** Returns whether a version is newer than this program. */
export function isNewer(version: string | undefined): boolean {
  return version !== undefined && valid(version) !== null && gt(version, slipwayVersion);
}

/** Returns the path of a new backup in the directory of upgrade backups, which is created if it does not exist. */
export async function newUpgradeBackup({ backups }: DataDirectory, nowMs: number): Promise<string> {
  await onFile('create', backups, () => makeDirectory(backups));
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return join(backups, `${time}-before-${slipwayVersion}.backup`);
}

/** Reads a new backup again and verifies the checksums of its files. */
export async function verifyUpgradeBackup(file: string): Promise<void> {
  try {
    await readManifest(file);
  } catch (error) {
    throw new CliError(`the backup before the upgrade is not readable: ${messageOf(error)}`, {
      remedy: `check the disk of ${file}; the data was not changed`,
      cause: error,
    });
  }
}

/** Removes the oldest backups, and incomplete ones of interrupted upgrades. Files with other names are kept. */
export async function dropOldBackups({ backups }: DataDirectory): Promise<void> {
  const names = await namesIn(backups);
  const leftovers = names.filter((name) => leftoverPattern.test(name));
  const complete = names.filter((name) => namePattern.test(name)).toSorted();
  for (const name of [...leftovers, ...complete.slice(0, -keptMax)]) await rm(join(backups, name), { force: true });
}

interface UsableBackup {
  readonly file: string;
  readonly takenAt: string;
}

/** Returns the newest intact backup with data that this version can use. */
export async function findUsableBackup({ backups }: DataDirectory): Promise<UsableBackup | undefined> {
  const names = (await namesIn(backups)).filter((name) => namePattern.test(name)).toSorted();
  for (const name of names.toReversed()) {
    const file = join(backups, name);
    try {
      const manifest = await readManifest(file);
      if (!isNewer(writerOf(manifest))) return { file, takenAt: manifest.takenAt };
    } catch {
      // A damaged backup cannot be restored, but an older one may be intact.
    }
  }
  return undefined;
}

async function readManifest(file: string): Promise<Manifest> {
  const archive = await open(file, 'r');
  try {
    return (await readBackup(file, archive)).manifest;
  } finally {
    await archive.close();
  }
}

async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}
