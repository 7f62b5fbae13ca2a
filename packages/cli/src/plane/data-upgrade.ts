import { type DataVersion, type Encryption, readStoredObjects, type VersionOptions } from '@slipway/apiserver';
import { type Logger, systemClock } from '@slipway/base';
import { newerDataError } from '../archive/store-errors.js';
import { dropOldBackups, isNewer, newBackup, verifyBackup } from '../archive/local-backups.js';
import { writeBackup } from '../archive/write-backup.js';
import { CliError } from '../errors/index.js';
import type { DataDirectory } from '../instance/index.js';
import { slipwayVersion } from '../version.js';

const listedMax = 5;
/** Number of backups before upgrades that are kept. */
const keptMax = 3;

/**
 * Returns the options with which data of another version is opened: it is checked and backed up first, and then carries the
 * version of this program.
 */
export function upgradeOptions(
  directory: DataDirectory,
  encryption: Encryption | undefined,
  logger: Logger,
): VersionOptions {
  return {
    writer: slipwayVersion,
    beforeChange: async (found) => {
      await checkObjects(directory, encryption, found);
      const backup = await newBackup(directory, 'upgrade', systemClock.now());
      await writeBackup(directory, backup);
      await verifyBackup(backup);
      await dropOldBackups(directory, 'upgrade', keptMax);
      const from = found.writer ?? 'unknown';
      logger.info({ backup, from, to: slipwayVersion, format: found.format }, 'Data of another version backed up');
    },
  };
}

/** Throws if this version cannot read stored objects, or would remove fields that a newer version has written. */
async function checkObjects(
  directory: DataDirectory,
  encryption: Encryption | undefined,
  { writer }: DataVersion,
): Promise<void> {
  const records = await readStoredObjects(directory.store, encryption);
  // Loaded on demand: declaring all CRDs is slow, and most starts do not change the version.
  const { servedKinds } = await import('../providers/kinds.js');
  const { findUnknownContent, findUnknownVersions } = await import('@slipway/plane');
  const kinds = servedKinds();
  const unknown = findUnknownVersions(kinds, records);
  const problem = (problems: readonly string[]): string =>
    `${problems.slice(0, listedMax).join('; ')}${problems.length > listedMax ? `; and ${problems.length - listedMax} more` : ''}`;
  if (!isNewer(writer)) {
    if (unknown.length === 0) return;
    throw new CliError(`slipway ${slipwayVersion} cannot read the data in ${directory.root}: ${problem(unknown)}`, {
      remedy:
        'start the version that wrote the data, wait until it has migrated the objects to the current API versions, and ' +
        'upgrade again. No data was changed',
    });
  }
  const newer = [...unknown, ...findUnknownContent(kinds, records)];
  if (newer.length === 0) return;
  throw await newerDataError(
    directory,
    writer,
    `slipway ${slipwayVersion} does not recognize some of the data: ${problem(newer)}`,
  );
}
