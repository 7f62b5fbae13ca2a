import { Command, Option } from 'commander';
import { addVerboseOption, parseMilliseconds, type SetExitCode } from '../../options/common-options.js';
import { addClusterOptions, type ClusterFlags } from '../../options/template-options.js';

export interface CreateClusterFlags extends ClusterFlags {
  readonly wait: boolean;
  readonly timeout?: number;
  readonly dryRun?: boolean;
  readonly yes?: boolean;
}

export function createCommand(setExitCode: SetExitCode): Command {
  return new Command('create')
    .summary('Create a workload cluster')
    .description('Create a workload cluster from a template.')
    .addCommand(createClusterCommand(setExitCode));
}

function createClusterCommand(setExitCode: SetExitCode): Command {
  const command = new Command('cluster')
    .summary('Create a workload cluster and wait until it is Available')
    .description(
      'Create a workload cluster from a template, and show its progress until it is Available. The objects are those ' +
        'that `generate cluster` prints. On a terminal the command asks for missing values. Ctrl-C stops waiting; the ' +
        'cluster is still created. Exit codes: 0 if the cluster is Available, 1 if it is not Available within --timeout, ' +
        '130 after Ctrl-C.',
    )
    .argument('[name]', 'Name of the cluster.');
  addClusterOptions(command, { controlPlane: '1', worker: '2' })
    .option('--no-wait', 'Exit after the objects are created.')
    .addOption(
      new Option('--timeout <time>', 'Maximum duration of the wait. Defaults to no limit.').argParser(
        parseMilliseconds,
      ),
    )
    .option('--dry-run', 'Validate the objects on the server without creating them.')
    .option('-y, --yes', 'Do not prompt.')
    .addHelpText(
      'after',
      `
Examples:
  slipway create cluster
  slipway create cluster demo --infrastructure dev
  slipway create cluster demo -i dev --control-plane-machine-count 3 --no-wait
  slipway create cluster demo -i dev --flavor topology --timeout 5m --yes`,
    )
    .action(async (name: string | undefined, flags: CreateClusterFlags) => {
      const { createCluster } = await import('./run.js');
      setExitCode(await createCluster(name, flags));
    });
  return addVerboseOption(command);
}
