import { Command, Option } from 'commander';
import { addVerboseOption, dataDirectoryOption, parseMilliseconds } from '../../options/common-options.js';

export interface DownOptions {
  readonly dataDir: string;
  readonly timeout: number;
}

export function downCommand(): Command {
  const command = new Command('down')
    .summary('stop the running management plane')
    .description('Stops the management plane that uses the data directory, and waits until it is gone.')
    .addOption(dataDirectoryOption())
    .addOption(new Option('--timeout <time>', 'how long to wait').default(30_000, '30s').argParser(parseMilliseconds))
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
