import { Command, Option } from 'commander';
import { addVerboseOption, dataDirectoryOption, parseCount } from './options.js';

export interface RestoreOptions {
  readonly dataDir: string;
  readonly bumpRevision: number;
}

export function restoreCommand(): Command {
  const command = new Command('restore')
    .summary('make a data directory from a backup')
    .description(
      'Makes a data directory from a backup. The directory must be new or empty; nothing is ever ' +
        'overwritten. Start it with `slipway up` and the same --data-dir.',
    )
    .argument('<file>', 'a file that `slipway backup` wrote')
    .addOption(dataDirectoryOption('the new data directory'))
    .addOption(
      new Option(
        '--bump-revision <number>',
        'how far resource versions jump ahead, so that clients which saw newer ones than the backup holds start over',
      )
        .default(1_000_000)
        .argParser(parseCount),
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway restore plane.backup --data-dir ./restored
  slipway up --data-dir ./restored`,
    )
    .action(async (file: string, options: RestoreOptions) => {
      const { restore } = await import('../backup/restore.js');
      await restore(file, options);
    });
  return addVerboseOption(command);
}
