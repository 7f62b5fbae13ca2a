import { Command } from 'commander';
import { addVerboseOption, dataDirectoryOption } from '../../options/common-options.js';

export interface BackupOptions {
  readonly dataDir: string;
  readonly force?: boolean;
}

export function backupCommand(): Command {
  const command = new Command('backup')
    .summary('Back up the management plane to one file')
    .description(
      'Write a consistent snapshot of all objects, with the keys and certificates, to one file. The management plane ' +
        'can keep running. The file contains Secrets and private keys: protect it accordingly.',
    )
    .argument('<file>', 'File to write. It appears when the backup is complete.')
    .addOption(dataDirectoryOption())
    .option('--force', 'Replace the file if it exists.')
    .addHelpText(
      'after',
      `
Examples:
  slipway backup plane.backup
  slipway backup --data-dir ./plane "plane-$(date +%F).backup"`,
    )
    .action(async (file: string, options: BackupOptions) => {
      const { backup } = await import('./run.js');
      await backup(file, options);
    });
  return addVerboseOption(command);
}
