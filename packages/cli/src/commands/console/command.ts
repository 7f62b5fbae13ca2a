import { Command, Option } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import { addTargetOptions, addVerboseOption, parsePort, type SetExitCode } from '../../options/common-options.js';

export interface ConsoleOptions extends TargetFlags {
  readonly port: number;
  readonly verbose?: boolean;
}

export function consoleCommand(setExitCode: SetExitCode): Command {
  const command = new Command('console')
    .summary('look at clusters in a browser')
    .description(
      'Serves the web console of a management cluster on this machine, and prints a link that signs you in, once, as the ' +
        'user of your kubeconfig. You see and do there what the management cluster allows this user. A management plane ' +
        'of `slipway up` serves the same pages itself, under /console, for tokens and client certificates.',
    )
    .addOption(new Option('--port <number>', 'port to serve on; 0 picks a free one').default(0).argParser(parsePort))
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
