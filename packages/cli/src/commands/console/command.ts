import { Command, Option } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import { addTargetOptions, addVerboseOption, parsePort, type SetExitCode } from '../../options/common-options.js';

export interface ConsoleOptions extends TargetFlags {
  readonly port: number;
  readonly verbose?: boolean;
}

export function consoleCommand(setExitCode: SetExitCode): Command {
  const command = new Command('console')
    .summary('Open the web console of a management cluster')
    .description(
      'Serve the web console of a management cluster on this host, and print a single-use link that signs you in as the ' +
        'user of your kubeconfig. The console has the permissions of that user. A management plane started with ' +
        '`slipway up` serves the same console under /console, for tokens and client certificates.',
    )
    .addOption(
      new Option('--port <number>', 'Port to listen on. 0 selects a free port.').default(0).argParser(parsePort),
    )
    .addHelpText(
      'after',
      `
Examples:
  slipway console
  slipway console --kubeconfig ~/.kube/management.conf --port 8080`,
    )
    .action(async (options: ConsoleOptions) => {
      const { runConsole } = await import('./run.js');
      setExitCode(await runConsole(options));
    });
  return addVerboseOption(addTargetOptions(command));
}
