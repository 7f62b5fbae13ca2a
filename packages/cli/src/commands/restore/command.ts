import { Command, Option } from 'commander';
import { addVerboseOption, dataDirectoryOption, parseCount } from '../../options/common-options.js';

export interface RestoreOptions {
  readonly dataDir: string;
  readonly bumpRevision: number;
  readonly adopt?: boolean;
  readonly yes?: boolean;
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
    .option('--adopt', 'hold every Cluster, show what controllers would do to its machines, and ask before they may')
    .option('-y, --yes', 'do not ask')
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
