import { Command, Option } from 'commander';
import { encryptionOption } from '../../options/encryption-option.js';
import { addVerboseOption, dataDirectoryOption, parseCount } from '../../options/common-options.js';

export interface RestoreOptions {
  readonly dataDir: string;
  readonly bumpRevision: number;
  readonly adopt?: boolean;
  readonly yes?: boolean;
  readonly encryptionProviderConfig?: string;
}

export function restoreCommand(): Command {
  const command = new Command('restore')
    .summary('Restore a data directory from a backup')
    .description(
      'Restore a data directory from a backup. The directory must be new or empty; existing data is never overwritten. ' +
        'Then start the management plane with `slipway up` and the same --data-dir.',
    )
    .argument('<file>', 'File written by `slipway backup`.')
    .addOption(dataDirectoryOption('Data directory to create.'))
    .addOption(
      new Option(
        '--bump-revision <number>',
        'Amount to add to the resource version. It makes clients list again if they saw resource versions newer than the backup.',
      )
        .default(1_000_000)
        .argParser(parseCount),
    )
    .option(
      '--adopt',
      'Pause every Cluster, print what the controllers would do to its machines, and ask before they are resumed.',
    )
    .addOption(encryptionOption('Keys of an encrypted backup, for --adopt. A restore itself needs no keys.'))
    .option('-y, --yes', 'Skip the confirmation.')
    .addHelpText(
      'after',
      `
Examples:
  slipway restore plane.backup --data-dir ./restored
  slipway restore plane.backup --data-dir ./restored --adopt
  slipway up --data-dir ./restored`,
    )
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('./run.js');
      await restore(file, options);
      if (options.adopt !== true) return;
      const { adopt } = await import('./run-adopt.js');
      await adopt(options);
    });
  return addVerboseOption(command);
}
