import { Command, Option } from 'commander';
import {
  addExamples,
  addVerboseOption,
  dataDirectoryOption,
  parseCount,
  parseMilliseconds,
  type SetExitCode,
} from '../../options/common-options.js';

export interface LogsOptions {
  readonly dataDir: string;
  readonly follow: boolean;
  readonly since?: number;
  readonly tail?: number;
  readonly output: 'text' | 'json';
  readonly verbose?: boolean;
}

export function logsCommand(setExitCode: SetExitCode): Command {
  const command = new Command('logs')
    .summary('Print the log of the management plane')
    .description('Print the log of the management plane from its data directory, also after it has stopped.')
    .addOption(dataDirectoryOption())
    .option('-f, --follow', 'Keep printing new lines. Ctrl-C stops.', false)
    .addOption(
      new Option('--since <time>', 'Print only lines newer than this duration, such as 10m.').argParser(
        parseMilliseconds,
      ),
    )
    .addOption(new Option('--tail <lines>', 'Print only this number of recent lines.').argParser(parseCount))
    .addOption(new Option('-o, --output <format>', 'Output format.').choices(['text', 'json']).default('text'))
    .action(async (options: LogsOptions) => {
      const { logs } = await import('./run.js');
      setExitCode(await logs(options));
    });
  return addExamples(
    addVerboseOption(command),
    'slipway logs --tail 100',
    'slipway logs -f --since 10m',
    'slipway logs -o json | jq \'select(.level == "error")\'',
  );
}
