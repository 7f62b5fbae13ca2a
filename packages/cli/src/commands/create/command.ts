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
    .summary('make a workload cluster')
    .description('Makes a workload cluster from a template, and shows how it comes up.')
    .addCommand(createClusterCommand(setExitCode));
}

function createClusterCommand(setExitCode: SetExitCode): Command {
  const command = new Command('cluster')
    .summary('make a workload cluster and show how it comes up')
    .description(
      'Makes a workload cluster from a template, as `generate cluster` prints it, and shows how it comes up until it is ' +
        'Available. At a terminal it asks for what is missing. Ctrl-C ends the showing; the cluster goes on. Ends with 0 ' +
        'when the cluster is Available, 1 when it is not within --timeout, 130 after Ctrl-C.',
    )
    .argument('[name]', 'the name of the cluster');
  addClusterOptions(command, { controlPlane: '1', worker: '2' })
    .option('--no-wait', 'do not wait until it is Available')
    .addOption(new Option('--timeout <time>', 'how long to wait; else without end').argParser(parseMilliseconds))
    .option('--dry-run', 'let the server judge the objects, and change nothing')
    .option('-y, --yes', 'ask nothing')
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
