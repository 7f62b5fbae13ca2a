import { Command } from 'commander';
import { addTargetOptions, addVerboseOption, type OutputFormat, outputOption } from '../../options/common-options.js';
import { addProviderOptions, type ProviderFlags } from '../../options/provider-options.js';
import { addConfigOption } from '../../options/template-options.js';

export interface DeleteFlags extends ProviderFlags {
  readonly all?: boolean;
  readonly includeCrd?: boolean;
  readonly includeNamespace?: boolean;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
  readonly output?: OutputFormat;
  readonly config?: string;
  readonly kubeconfig?: string;
  readonly kubeconfigContext?: string;
  readonly dataDir?: string;
}

export function deleteCommand(): Command {
  const command = new Command('delete')
    .summary('delete providers from a management cluster')
    .description(
      'Deletes providers: exactly what was installed of them, listed first. Their kinds and namespaces stay, and with them ' +
        'all clusters, unless it is said otherwise; --include-crd refuses while there are objects of these kinds.',
    )
    .option('--all', 'every provider');
  addProviderOptions(command, 'name[:version]')
    .option('--include-crd', 'their kinds as well')
    .option('--include-namespace', 'their namespaces as well, with everything that is in there')
    .option('--dry-run', 'tell what would be deleted, and change nothing')
    .option('-y, --yes', 'ask nothing');
  addConfigOption(addTargetOptions(command))
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway delete --infrastructure dev
  slipway delete --all --dry-run
  slipway delete --all --include-crd --include-namespace --yes`,
    )
    .action(async (flags: DeleteFlags) => {
      const { deleteProviders } = await import('./run.js');
      await deleteProviders(flags);
    });
  return addVerboseOption(command);
}
