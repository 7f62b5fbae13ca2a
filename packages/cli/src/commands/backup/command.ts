import { Command } from 'commander';
import { addVerboseOption, dataDirectoryOption } from '../../options/common-options.js';

export interface BackupOptions {
  readonly dataDir: string;
  readonly force?: boolean;
}

export function backupCommand(): Command {
  const command = new Command('backup')
    .summary('copy everything into one file, running or not')
    .description(
      'Copies every object as of one moment, and the keys and certificates, into one file. ' +
        'The management plane may run meanwhile. The file holds secrets: keep it as you keep those.',
    )
    .argument('<file>', 'the file to write; it appears when it is complete')
    .addOption(dataDirectoryOption())
    .option('--force', 'replace the file if it exists')
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
