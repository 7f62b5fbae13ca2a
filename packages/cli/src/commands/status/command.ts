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
    .summary('is it running, where, and is it well?')
    .description(
      'Says whether a management plane uses the data directory, where it serves, and how it is. ' +
        'Ends with 0 when it is ready, 1 when it runs but is not ready, 3 when it does not run.',
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
