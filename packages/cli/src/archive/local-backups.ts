import { open, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gt, valid } from 'semver';
import { CliError, messageOf, onFile, systemCode } from '../errors/index.js';
import { type DataDirectory, makeDirectory } from '../instance/index.js';
import { slipwayVersion } from '../version.js';
import { type Manifest, writerOf } from './backup-format.js';
import { readBackup } from './read-backup.js';

/** Why a backup in the data directory was taken: before another version changed the data, or by `--backup-every`. */
export type Occasion = 'upgrade' | 'schedule';

/** Names of backups: the time in UTC, and the version that changed the data afterwards. Names sort by age. */
const patterns: Readonly<Record<Occasion, RegExp>> = {
  upgrade: /^(\d{8}T\d{6}Z)-before-.+\.backup$/,
  schedule: /^(\d{8}T\d{6}Z)-scheduled\.backup$/,
};
const leftoverPattern = /^\d{8}T\d{6}Z-(?:before-.+|scheduled.*)\.partial(?:-objects)?$/;

/** Returns whether a version is newer than this program. */
export function isNewer(version: string | undefined): boolean {
  return version !== undefined && valid(version) !== null && gt(version, slipwayVersion);
}

/** Returns the path of a new backup in the data directory, whose folder is created if it does not exist. */
export async function newBackup({ backups }: DataDirectory, occasion: Occasion, nowMs: number): Promise<string> {
  await onFile('create', backups, () => makeDirectory(backups));
  const time = new Date(nowMs).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return join(backups, `${time}-${occasion === 'upgrade' ? `before-${slipwayVersion}` : 'scheduled'}.backup`);
}

/** Reads a new backup again and verifies the checksums of its files. */
export async function verifyBackup(file: string): Promise<void> {
  try {
    await readManifest(file);
  } catch (error) {
    throw new CliError(`the new backup is not readable: ${messageOf(error)}`, {
      remedy: `check the disk of ${file}; the data was not changed`,
      cause: error,
    });
  }
}

/** Removes the oldest backups of an occasion, and incomplete ones. Files with other names are kept. */
export async function dropOldBackups({ backups }: DataDirectory, occasion: Occasion, kept: number): Promise<void> {
  const names = await namesIn(backups);
  const leftovers = names.filter((name) => leftoverPattern.test(name));
  const complete = names.filter((name) => patterns[occasion].test(name)).toSorted();
  const old = complete.slice(0, Math.max(0, complete.length - kept));
  for (const name of [...leftovers, ...old]) await rm(join(backups, name), { force: true });
}

/** Returns when the newest scheduled backup was taken, in milliseconds since the epoch. */
export async function newestScheduledMs({ backups }: DataDirectory): Promise<number | undefined> {
  const times = (await namesIn(backups)).flatMap((name) => patterns.schedule.exec(name)?.[1] ?? []);
  const [newest] = times.toSorted().toReversed();
  if (newest === undefined) return undefined;
  return Date.parse(newest.replace(/^(....)(..)(..)T(..)(..)/, '$1-$2-$3T$4:$5:'));
}

interface UsableBackup {
  readonly file: string;
  readonly takenAt: string;
}

/** Returns the newest intact backup of these occasions with data that this version can use. */
export async function findUsableBackup(
  { backups }: DataDirectory,
  occasions: readonly Occasion[],
): Promise<UsableBackup | undefined> {
  const isOne = (name: string): boolean => occasions.some((occasion) => patterns[occasion].test(name));
  const names = (await namesIn(backups)).filter(isOne).toSorted();
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
