import { Command, InvalidArgumentError, Option } from 'commander';
import type { ServerFlags } from '../../connection/index.js';
import {
  addNamespaceOption,
  addTargetOptions,
  addVerboseOption,
  type OutputFormat,
  outputOption,
  type SetExitCode,
} from '../../options/common-options.js';

/** Names of checks that can be waived. Copied from the library so that declaring the command does not load it. */
const waivable = ['provisioned', 'paused', 'providers'] as const;

export interface MoveCommandOptions extends ServerFlags {
  readonly dataDir?: string;
  readonly namespace?: string;
  readonly toKubeconfig?: string;
  readonly toKubeconfigContext?: string;
  readonly toDirectory?: string;
  readonly fromDirectory?: string;
  readonly filterCluster?: string;
  readonly waive: readonly (typeof waivable)[number][];
  readonly dryRun?: boolean;
  readonly hideApiWarnings: 'default' | 'all' | 'none';
  readonly output?: OutputFormat;
}

export function moveCommand(setExitCode: SetExitCode): Command {
  const command = new Command('move')
    .summary('Move clusters to another management cluster')
    .description(
      'Move Clusters with all their objects from one management cluster to another: check, pause the source, copy, ' +
        'verify, switch over, delete from the source. A failure before the switch-over leaves the source unchanged. To ' +
        'recover an interrupted move, run the same command again: it completes a move that had switched over, and ' +
        'otherwise rolls back and starts over.',
    )
    .option('--to-kubeconfig <file>', 'Kubeconfig of the target management cluster.')
    .option('--to-kubeconfig-context <name>', 'Context of the target kubeconfig. Defaults to the current context.')
    .option(
      '--to-directory <directory>',
      'Write the objects to a directory. Clusters in the source are not paused or deleted.',
    )
    .option('--from-directory <directory>', 'Create the objects from files written by --to-directory.')
    .option('--filter-cluster <name>', 'Move only this Cluster.')
    .addOption(
      new Option('--waive <check>', `Continue if this check fails: ${waivable.join(', ')}. Can be repeated.`)
        .argParser(parseWaived)
        .default([], 'none'),
    )
    .option('--dry-run', 'Print what would be moved without moving it.')
    .addOption(
      new Option('--hide-api-warnings <which>', 'API server warnings to hide.')
        .choices(['default', 'all', 'none'])
        .default('default'),
    )
    .addOption(outputOption());
  addTargetOptions(addNamespaceOption(command))
    .addHelpText(
      'after',
      `
Examples:
  slipway move --to-kubeconfig company.conf --dry-run
  slipway move --to-kubeconfig company.conf --namespace clusters
  slipway move --kubeconfig company.conf --to-kubeconfig plane.conf
  slipway move --to-directory ./moved`,
    )
    .action(async (options: MoveCommandOptions) => {
      const { runMove } = await import('./run.js');
      setExitCode(await runMove(options));
    });
  return addVerboseOption(command);
}

function parseWaived(text: string, before: unknown): readonly unknown[] {
  if (!waivable.some((check) => check === text))
    throw new InvalidArgumentError(`The value must be one of: ${waivable.join(', ')}.`);
  return [...(Array.isArray(before) ? (before as unknown[]) : []), text];
}
