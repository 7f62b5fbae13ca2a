import { readSnapshot } from '@slipway/apiserver';
import { unreadableStoreError } from '../../archive/store-errors.js';
import { CliError, type ExitCode, exitCodes, onFile } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { printValue } from '../../output/index.js';
import type { DoctorOptions } from './command.js';

/** Verifies the data file without changing it. A running management plane continues to serve. */
export async function checkStorage({ dataDir, output }: Pick<DoctorOptions, 'dataDir' | 'output'>): Promise<ExitCode> {
  const directory = dataDirectory(dataDir);
  const snapshot = await onFile('read', directory.store, async () => {
    try {
      return await readSnapshot(directory.store);
    } catch (error) {
      throw await unreadableStoreError(directory, error);
    }
  });
  if (snapshot === undefined) {
    throw new CliError(`no data found in ${directory.root}`, {
      remedy: 'set --data-dir to the data directory of a management plane',
    });
  }
  const { records, revision, version } = snapshot;
  const report = { directory: directory.root, objects: records.length, revision, ...version };
  const writer = version.writer === undefined ? '' : `, written by slipway ${version.writer}`;
  const text =
    `${report.objects} objects at revision ${revision} in ${report.directory}: all checksums match\n` +
    `Storage format ${version.format}${writer}\n`;
  await printValue(report, output, () => text);
  return exitCodes.ok;
}
