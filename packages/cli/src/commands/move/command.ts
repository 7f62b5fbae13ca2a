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

/** As the library names them; here, so that declaring the command does not load it. */
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
    .summary('move clusters to another management cluster')
    .description(
      'Moves Clusters, with all that belongs to them, from one management cluster to another: check, hold the source, ' +
        'copy, verify, switch, delete. Until the switch any failure leaves the source as it was. A move that was ' +
        'killed is completed, or undone and done again, by the same command.',
    )
    .option('--to-kubeconfig <file>', 'the management cluster to move to')
    .option('--to-kubeconfig-context <name>', 'another context of it than the current one')
    .option('--to-directory <directory>', 'write the objects there instead; the source goes on')
    .option('--from-directory <directory>', 'make the objects that are written there')
    .option('--filter-cluster <name>', 'move only this Cluster')
    .addOption(
      new Option('--waive <check>', `go on although it fails: ${waivable.join(', ')}; may be repeated`)
        .argParser(parseWaived)
        .default([], 'nothing'),
    )
    .option('--dry-run', 'only say what would move')
    .addOption(
      new Option('--hide-api-warnings <which>', 'warnings of the servers that are not shown')
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
  if (!waivable.some((check) => check === text)) throw new InvalidArgumentError(`It is one of ${waivable.join(', ')}.`);
  return [...(Array.isArray(before) ? (before as unknown[]) : []), text];
}
