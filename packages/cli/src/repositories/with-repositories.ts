import { systemClock } from '@slipway/base';
import {
  builtinConfig,
  ClusterctlError,
  type ManagementCluster,
  MissingVariablesError,
  readConfig,
  type RepositoryDependencies,
  TemplateSyntaxError,
} from '@slipway/clusterctl';
import { StatusError } from '@slipway/kube';
import { openTarget, type Target, type TargetFlags } from '../connection/index.js';
import { CliError, exitCodes } from '../errors/index.js';
import type { PluginFlags } from '../options/plugin-option.js';
import { loadRepositoryPlugins } from '../providers/named-plugins.js';
import { availableProviders } from '../providers/builtin-providers.js';

/** Options of commands that read templates and providers. */
export interface RepositoryFlags extends TargetFlags, PluginFlags {
  /** Path or URL of the clusterctl configuration, instead of the default location. */
  readonly config?: string;
}

export interface CommandContext extends RepositoryDependencies {
  readonly signal: AbortSignal;
  /** Connects to the management cluster. Throws an error with a remedy if it is unreachable. */
  readonly target: () => Promise<Target>;
}

/**
 * Runs `work` with the clusterctl configuration and its repositories. Connects to the management cluster on demand. Ctrl-C
 * aborts the signal.
 */
export async function withRepositories<T>(
  flags: RepositoryFlags,
  work: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const stopping = new AbortController();
  const onInterrupt = (): void => stopping.abort(new Error('interrupted'));
  process.once('SIGINT', onInterrupt);
  const { signal } = stopping;
  let opened: Promise<Target> | undefined;
  const target = (): Promise<Target> => (opened ??= openTarget(flags, signal));
  try {
    const fetching = { clock: systemClock, signal };
    await loadRepositoryPlugins(flags);
    const builtin = availableProviders().map(builtinConfig);
    const config = await readConfig({ file: flags.config, env: process.env, builtin }, fetching);
    const management = (): Promise<ManagementCluster | undefined> => reachable(flags, target);
    return await work({ ...fetching, config, builtin: availableProviders(), management, target });
  } catch (error) {
    throw signal.aborted ? interrupted(error) : explainFailure(error);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    await opened?.then(
      ({ client }) => client.close(),
      () => undefined,
    );
  }
}

/**
 * Connects to the management cluster. Commands that do not need one ignore an unreachable cluster, unless the user selected it.
 */
async function reachable(flags: TargetFlags, target: () => Promise<Target>): Promise<ManagementCluster | undefined> {
  try {
    return await target();
  } catch (error) {
    const wasNamed = flags.kubeconfig !== undefined || flags.kubeconfigContext !== undefined;
    if (wasNamed || !(error instanceof CliError)) throw error;
    return undefined;
  }
}

function interrupted(cause: unknown): CliError {
  return new CliError('interrupted', {
    remedy: 'completed steps are kept; run the command again to continue',
    exitCode: exitCodes.interrupted,
    cause,
  });
}

/** Converts errors of the library to errors of the command. */
export function explainFailure(error: unknown): unknown {
  if (error instanceof MissingVariablesError)
    return new CliError(error.message, {
      remedy: 'list the variables of the template with `slipway generate cluster NAME --list-variables`',
      cause: error,
    });
  if (error instanceof StatusError) return new CliError(error.message, { cause: error });
  if (error instanceof ClusterctlError) return new CliError(error.message, { remedy: error.remedy, cause: error });
  return error instanceof TemplateSyntaxError
    ? new CliError(`invalid template: ${error.message}`, { cause: error })
    : error;
}
