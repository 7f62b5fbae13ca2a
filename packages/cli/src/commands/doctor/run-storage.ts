import { DamagedStore, readSnapshot, UnsupportedFormat } from '@slipway/apiserver';
import { CliError, type ExitCode, exitCodes, onFile } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { printValue } from '../../output/index.js';
import { damagedStoreError } from '../../plane/start-errors.js';
import type { DoctorOptions } from './command.js';

/** Verifies the data file without changing it. A running management plane continues to serve. */
export async function checkStorage({ dataDir, output }: Pick<DoctorOptions, 'dataDir' | 'output'>): Promise<ExitCode> {
  const directory = dataDirectory(dataDir);
  const snapshot = await onFile('read', directory.store, async () => {
    try {
      return await readSnapshot(directory.store);
    } catch (error) {
      if (error instanceof DamagedStore) throw damagedStoreError(error);
      throw error instanceof UnsupportedFormat ? new CliError(error.message, { cause: error }) : error;
    }
  });
  if (snapshot === undefined) {
    throw new CliError(`no data found in ${directory.root}`, {
      remedy: 'set --data-dir to the data directory of a management plane',
    });
  }
  const report = { directory: directory.root, objects: snapshot.records.length, revision: snapshot.revision };
  const text = `${report.objects} objects at revision ${report.revision} in ${report.directory}: all checksums match\n`;
  await printValue(report, output, () => text);
  return exitCodes.ok;
}
