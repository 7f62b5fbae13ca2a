import { systemClock, systemRandom } from '@slipway/base';
import {
  move,
  MoveError,
  moveFromDirectory,
  type MoveOptions,
  type MoveReport,
  moveToDirectory,
  previewMove,
} from '@slipway/clusterctl';
import { openTarget, type Target, type TargetFlags, withTarget } from '../../connection/index.js';
import { CliError, type ExitCode, exitCodes, onFile } from '../../errors/index.js';
import { printValue } from '../../output/index.js';
import type { MoveCommandOptions } from './command.js';
import { moveProgress, reportText } from './text.js';

export async function runMove(options: MoveCommandOptions): Promise<ExitCode> {
  checkFlags(options);
  // Objects from a directory are written to the cluster of --to-kubeconfig, or else of --kubeconfig.
  const isInto = options.fromDirectory !== undefined && options.toKubeconfig !== undefined;
  return withTarget(isInto ? targetFlags(options) : options, async (source, signal) => {
    try {
      const report = await carryOut(options, source, signal);
      await printValue(report, options.output, () => reportText(report, options.dryRun === true));
      return exitCodeOf(report, options, source);
    } catch (error) {
      throw moveProblem(error);
    }
  });
}

function checkFlags({ toKubeconfig, toDirectory, fromDirectory, dryRun }: MoveCommandOptions): void {
  const usage = (message: string): CliError => new CliError(message, { exitCode: exitCodes.usage });
  if (toDirectory !== undefined && fromDirectory !== undefined)
    throw usage('--to-directory and --from-directory cannot be used together');
  if (toDirectory !== undefined && toKubeconfig !== undefined)
    throw usage('--to-directory and --to-kubeconfig cannot be used together');
  if (toKubeconfig === undefined && toDirectory === undefined && fromDirectory === undefined && dryRun !== true)
    throw usage('a target is required: set --to-kubeconfig to a management cluster, or --to-directory to a directory');
}

function targetFlags({ toKubeconfig, toKubeconfigContext, hideApiWarnings }: MoveCommandOptions): TargetFlags {
  return {
    hideApiWarnings,
    ...(toKubeconfig !== undefined && { kubeconfig: toKubeconfig }),
    ...(toKubeconfigContext !== undefined && { kubeconfigContext: toKubeconfigContext }),
  };
}

async function carryOut(options: MoveCommandOptions, source: Target, signal: AbortSignal): Promise<MoveReport> {
  const { toDirectory, fromDirectory } = options;
  const common = {
    clock: systemClock,
    random: systemRandom,
    namespace: source.namespace,
    ...(options.filterCluster !== undefined && { cluster: options.filterCluster }),
    waived: new Set(options.waive),
    signal,
    onProgress: moveProgress(options.output !== undefined),
  };
  if (toDirectory !== undefined)
    return onFile('write', toDirectory, () => moveToDirectory(source.client, toDirectory, common));
  if (fromDirectory !== undefined)
    return onFile('read', fromDirectory, () => moveFromDirectory(source.client, fromDirectory, common));
  return moveBetween(options, source, common);
}

async function moveBetween(
  options: MoveCommandOptions,
  source: Target,
  common: Omit<MoveOptions, 'from' | 'to'>,
): Promise<MoveReport> {
  const from = source.client;
  if (options.toKubeconfig === undefined) return previewMove({ ...common, from });
  const target = await openTarget(targetFlags(options), common.signal ?? new AbortController().signal);
  try {
    const both = { ...common, from, to: target.client };
    return await (options.dryRun === true ? previewMove(both) : move(both));
  } finally {
    target.client.close();
  }
}

function exitCodeOf(report: MoveReport, options: MoveCommandOptions, source: Target): ExitCode {
  if (report.moved.length + report.kept.length === 0 && options.fromDirectory === undefined)
    throw new CliError(`no objects to move in namespace ${source.namespace}`, {
      remedy: 'select another namespace with --namespace',
    });
  if (report.problems.length > 0) return exitCodes.failed;
  return report.left.length > 0 ? exitCodes.leftBehind : exitCodes.ok;
}

function moveProblem(error: unknown): unknown {
  if (!(error instanceof MoveError)) return error;
  return new CliError(error.message, { cause: error, ...(error.remedy !== undefined && { remedy: error.remedy }) });
}
