import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { writeBackup } from '../../archive/write-backup.js';
import { CliError, exitCodes } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { bytesText } from '../../output/index.js';
import type { BackupOptions } from './command.js';

export async function backup(file: string, options: BackupOptions): Promise<void> {
  const directory = dataDirectory(options.dataDir);
  const target = resolve(file);
  if (options.force !== true && existsSync(target)) {
    throw new CliError(`${target} already exists`, {
      remedy: 'choose another file name, or overwrite the file with --force',
      exitCode: exitCodes.inUse,
    });
  }
  const { objects, revision } = await writeBackup(directory, target);
  const { size } = await stat(target);
  process.stdout.write(`Backed up ${objects} objects at revision ${revision} to ${target} (${bytesText(size)})\n`);
}
