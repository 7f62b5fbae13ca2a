import { Command, Option } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addExamples,
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
  parseMilliseconds,
  type SetExitCode,
} from '../../options/common-options.js';
import { addProviderOptions, type ProviderFlags } from '../../options/provider-options.js';
import { SwitchCommand } from '../../options/switch-command.js';
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

export interface DeleteClusterFlags extends TargetFlags {
  readonly yes?: boolean;
  readonly wait: boolean;
  readonly timeout?: number;
}

export function deleteCommand(setExitCode: SetExitCode): Command {
  const command = new Command('delete')
    .summary('Delete clusters and providers')
    .description(
      'Delete workload clusters, or delete providers from a management cluster. For compatibility with clusterctl, ' +
        '`slipway delete` also accepts the flags of `delete provider`: `slipway delete --infrastructure dev`.',
    )
    // Flags after a subcommand belong to the subcommand.
    .enablePositionalOptions();
  addDeleteProviderOptions(command).addCommand(deleteClusterCommand(setExitCode)).addCommand(deleteProviderCommand());
  for (const option of command.options) option.hideHelp();
  return command;
}

function deleteClusterCommand(setExitCode: SetExitCode): Command {
  const command = new SwitchCommand('cluster')
    .summary('Delete a workload cluster and its machines')
    .description(
      'Delete a workload cluster with its machines and infrastructure, and show the progress until it is deleted. On a ' +
        'terminal the command asks for confirmation. Ctrl-C stops waiting; the deletion continues. Exit codes: 0 if the ' +
        'cluster is deleted, 1 if it is not deleted within --timeout, 130 after Ctrl-C.',
    )
    .argument('<name>', 'Name of the cluster.')
    .addSwitch('--wait', 'Wait until the cluster is deleted.', true)
    .addOption(
      new Option('--timeout <time>', 'Maximum duration of the wait. Defaults to no limit.').argParser(
        parseMilliseconds,
      ),
    )
    .option('-y, --yes', 'Skip the confirmation.')
    .action(async (name: string, flags: DeleteClusterFlags) => {
      const { deleteCluster } = await import('./run-cluster.js');
      setExitCode(await deleteCluster(name, flags));
    });
  return addExamples(
    addVerboseOption(addNamespaceOption(addTargetOptions(command))),
    'slipway delete cluster demo',
    'slipway delete cluster demo -n team-a --yes --wait=false',
  );
}

function deleteProviderCommand(): Command {
  const command = new Command('provider')
    .summary('Delete providers from a management cluster')
    .description(
      'Delete providers. The command lists the objects to delete and asks for confirmation on a terminal. CRDs and ' +
        'namespaces are kept, and with them all clusters, unless --include-crd or --include-namespace is set. ' +
        '--include-crd fails while objects of these CRDs exist.',
    );
  return addExamples(
    addDeleteProviderOptions(command),
    'slipway delete provider --infrastructure dev',
    'slipway delete provider --all --dry-run',
    'slipway delete provider --all --include-crd --include-namespace --yes',
  );
}

function addDeleteProviderOptions(command: Command): Command {
  command.option('--all', 'Delete all providers.');
  addProviderOptions(command, 'name[:version]')
    .option('--include-crd', "Also delete the providers' CRDs.")
    .option('--include-namespace', "Also delete the providers' namespaces, with all objects in them.")
    .option('--dry-run', 'Print what would be deleted without deleting it.')
    .option('-y, --yes', 'Skip the confirmation.');
  addConfigOption(addTargetOptions(command))
    .addOption(outputOption())
    .action(async (flags: DeleteFlags) => {
      const { deleteProviders } = await import('./run.js');
      await deleteProviders(flags);
    });
  return addVerboseOption(command);
}
