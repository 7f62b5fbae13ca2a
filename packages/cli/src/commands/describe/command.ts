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
    .summary('show how a cluster is')
    .description('Shows what there is, how it hangs together, and how it is.')
    .addCommand(describeClusterCommand(setExitCode));
}

function describeClusterCommand(setExitCode: SetExitCode): Command {
  const command = new SwitchCommand('cluster')
    .summary('a cluster at a glance, as a tree')
    .description(
      'Draws a cluster as a tree: its infrastructure, its control plane, its workers, and how each of them is. What is ' +
        'well, and like its neighbours, takes one line. Flags and words are those of clusterctl.',
    )
    .argument('<name>', 'of the cluster')
    .addOption(
      new Option(
        '--show-conditions <kinds>',
        'whose conditions to show: all, Kind, Kind/name, or several with commas; with + behind it, those that say something',
      ).argParser(parseConditions),
    )
    .addSwitch('--show-machinesets', 'show MachineSets too', false)
    .addSwitch('--show-resourcesets', 'show ClusterResourceSets too', false)
    .addSwitch('--show-templates', 'show the templates that machines are made from', false)
    .addSwitch('--echo', 'show infrastructure and bootstrap objects that say what their machine says', false)
    .addSwitch('--grouping', 'join machines in the same state', true)
    .addSwitch('--v1beta2', 'show conditions of the current style', true)
    .addSwitch('-c, --color', 'in colour; else on a terminal only')
    .addOption(new Option('--show-clusterresourcesets').hideHelp())
    .addOption(new Option('--disable-grouping').hideHelp())
    .addOption(new Option('--disable-no-echo').hideHelp())
    .option('-w, --watch', 'stay, and draw it again whenever something changes', false)
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

/** Older words for the same. */
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
  if (/\s/.test(text)) throw new InvalidArgumentError('There must be no blanks in the list.');
  return text;
}
