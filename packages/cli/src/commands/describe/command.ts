import { Command, InvalidArgumentError, Option } from 'commander';
import type { TargetFlags } from '../../connection/index.js';
import {
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
  type SetExitCode,
} from '../../options/common-options.js';
import { SwitchCommand } from '../../options/switch-command.js';

export interface DescribeClusterOptions extends TargetFlags {
  readonly showConditions?: string;
  readonly showMachinesets: boolean;
  readonly showResourcesets: boolean;
  readonly showTemplates: boolean;
  readonly echo: boolean;
  readonly grouping: boolean;
  readonly v1beta2: boolean;
  readonly color?: boolean;
  readonly watch: boolean;
  readonly output?: OutputFormat;
}

export function describeCommand(setExitCode: SetExitCode): Command {
  return new Command('describe')
    .summary('Show the objects and status of a cluster')
    .description("Show a cluster's objects, ownership and status.")
    .addCommand(describeClusterCommand(setExitCode));
}

function describeClusterCommand(setExitCode: SetExitCode): Command {
  const command = new SwitchCommand('cluster')
    .summary('Show a cluster as a tree of objects with their conditions')
    .description(
      'Show a cluster as a tree: its infrastructure, control plane and workers, with their status. Healthy machines in ' +
        'the same state share one line. Flags and output are those of clusterctl.',
    )
    .argument('<name>', 'Name of the cluster.')
    .addOption(
      new Option(
        '--show-conditions <kinds>',
        'Objects whose conditions are shown: all, Kind or Kind/name, comma-separated. With a trailing +, only conditions with a reason or message.',
      ).argParser(parseConditions),
    )
    .addSwitch('--show-machinesets', 'Show MachineSets.', false)
    .addSwitch('--show-resourcesets', 'Show ClusterResourceSets.', false)
    .addSwitch('--show-templates', 'Show the infrastructure and bootstrap templates of the machines.', false)
    .addSwitch(
      '--echo',
      'Show infrastructure and bootstrap objects whose Ready condition equals that of their machine.',
      false,
    )
    .addSwitch('--grouping', 'Group machines in the same state.', true)
    .addSwitch('--v1beta2', 'Show v1beta2 conditions.', true)
    .addSwitch('-c, --color', 'Use color. Defaults to true on a terminal.')
    .addOption(new Option('--show-clusterresourcesets').hideHelp())
    .addOption(new Option('--disable-grouping').hideHelp())
    .addOption(new Option('--disable-no-echo').hideHelp())
    .option('-w, --watch', 'Watch, and redraw on every change.', false)
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Examples:
  slipway describe cluster demo
  slipway describe cluster demo --show-conditions=all+ --watch
  slipway describe cluster demo -o json | jq .condition`,
    )
    .action(async (name: string, flags: DescribeClusterOptions & Aliases) => {
      const { describeCluster } = await import('./run.js');
      setExitCode(await describeCluster(name, withAliases(flags)));
    });
  return addVerboseOption(addNamespaceOption(addTargetOptions(command)));
}

/** Deprecated names of flags. */
interface Aliases {
  readonly showClusterresourcesets?: boolean;
  readonly disableGrouping?: boolean;
  readonly disableNoEcho?: boolean;
}

function withAliases(flags: DescribeClusterOptions & Aliases): DescribeClusterOptions {
  return {
    ...flags,
    showResourcesets: flags.showResourcesets || flags.showClusterresourcesets === true,
    grouping: flags.grouping && flags.disableGrouping !== true,
    echo: flags.echo || flags.disableNoEcho === true,
  };
}

function parseConditions(text: string): string {
  if (/\s/.test(text)) throw new InvalidArgumentError('The list must not contain spaces.');
  return text;
}
