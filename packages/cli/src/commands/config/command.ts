import { Command, Option } from 'commander';
import { addVerboseOption } from '../../options/common-options.js';
import { addConfigOption } from '../../options/template-options.js';

export interface ConfigRepositoriesFlags {
  readonly config?: string;
  readonly output: 'text' | 'json' | 'yaml';
}

/** `configCluster` is `config cluster`, the former name of `generate cluster`. */
export function configCommand(configCluster: Command): Command {
  return new Command('config')
    .summary('show the providers that are known')
    .description('Shows the providers that are known, and where their releases are.')
    .addCommand(configRepositoriesCommand())
    .addCommand(configCluster);
}

function configRepositoriesCommand(): Command {
  const command = new Command('repositories')
    .summary('list the providers and their repositories')
    .description(
      'Lists the providers that are known and where their releases are: those that slipway brings along, and those under ' +
        '`providers` in clusterctl.yaml.',
    )
    .addOption(new Option('-o, --output <format>', 'how to print').choices(['text', 'json', 'yaml']).default('text'));
  addConfigOption(command)
    .addHelpText(
      'after',
      `
Examples:
  slipway config repositories
  slipway config repositories -o yaml`,
    )
    .action(async (flags: ConfigRepositoriesFlags) => {
      const { configRepositories } = await import('./run.js');
      await configRepositories(flags);
    });
  return addVerboseOption(command);
}
