import { Command, Option } from 'commander';
import { addVerboseOption, dataDirectoryOption, parseMilliseconds } from '../../options/common-options.js';

export interface DownOptions {
  readonly dataDir: string;
  readonly timeout: number;
}

export function downCommand(): Command {
  const command = new Command('down')
    .summary('Stop the management plane')
    .description('Stop the management plane that uses the data directory, and wait until its process has exited.')
    .addOption(dataDirectoryOption())
    .addOption(
      new Option('--timeout <time>', 'Maximum duration of the wait.')
        .default(30_000, '30s')
        .argParser(parseMilliseconds),
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway down
  slipway down --data-dir ./plane --timeout 2m`,
    )
    .action(async (options: DownOptions) => {
      const { down } = await import('./run.js');
      await down(options);
    });
  return addVerboseOption(command);
}
