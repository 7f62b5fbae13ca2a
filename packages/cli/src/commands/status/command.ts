import { Command } from 'commander';
import {
  addVerboseOption,
  dataDirectoryOption,
  type OutputFormat,
  outputOption,
  type SetExitCode,
} from '../../options/common-options.js';

export interface StatusOptions {
  readonly dataDir: string;
  readonly output?: OutputFormat;
}

export function statusCommand(setExitCode: SetExitCode): Command {
  const command = new Command('status')
    .summary('Show whether the management plane runs, its address and its health')
    .description(
      'Show whether a management plane uses the data directory, its address and its health. Exit codes: 0 if it is ready, ' +
        '1 if it runs but is not ready, 3 if it does not run.',
    )
    .addOption(dataDirectoryOption())
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway status
  slipway status -o json | jq -r .endpoint`,
    )
    .action(async (options: StatusOptions) => {
      const { status } = await import('./run.js');
      setExitCode(await status(options));
    });
  return addVerboseOption(command);
}
