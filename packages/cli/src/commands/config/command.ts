import { Command, Option } from 'commander';
import { addVerboseOption } from '../../options/common-options.js';
import { addConfigOption } from '../../options/template-options.js';

export interface ConfigRepositoriesFlags {
  readonly config?: string;
  readonly output: 'text' | 'json' | 'yaml';
}

/**
 * Creates the command `config`. `configCluster` is the subcommand `config cluster`, an old name of `generate cluster`.
 */
export function configCommand(configCluster: Command): Command {
  return new Command('config')
    .summary('Show provider repositories')
    .description('Show the known providers and their repositories.')
    .addCommand(configRepositoriesCommand())
    .addCommand(configCluster);
}

function configRepositoriesCommand(): Command {
  const command = new Command('repositories')
    .summary('List providers and their repositories')
    .description(
      'List the known providers and their release repositories: the providers built into slipway, and those under ' +
        '`providers` in clusterctl.yaml.',
    )
    .addOption(new Option('-o, --output <format>', 'Output format.').choices(['text', 'json', 'yaml']).default('text'));
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
