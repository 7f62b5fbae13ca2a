import { resolve } from 'node:path';
import { parseControllers, preferShortPauses, preferSmallHeap } from '@slipway/apiserver';
import type { Client } from '@slipway/runtime';
import { CliError, type ExitCode, exitCodes, messageOf } from '../../errors/index.js';
import { dataDirectory } from '../../instance/index.js';
import { startPlane } from '../../plane/start-plane.js';
import { loadNamedPlugins, nameAndVersion } from '../../providers/named-plugins.js';
import { LogFile } from '../../process/log-file.js';
import { openLog } from '../../process/open-log.js';
import { stopSignal } from '../../process/stop-signal.js';
import { slipwayVersion } from '../../version.js';
import type { UpOptions } from './command.js';
import { welcome } from './text.js';

/** Runs the management plane until it receives a signal. */
export async function up(options: UpOptions): Promise<ExitCode> {
  if (options.quickStart === true && options.apiOnly === true)
    throw new CliError('--quick-start cannot be combined with --api-only: the quick start requires the controllers', {
      exitCode: exitCodes.usage,
    });
  if (options.plugin !== undefined && options.apiOnly === true)
    throw new CliError('--plugin cannot be combined with --api-only: plugins need the controllers', {
      exitCode: exitCodes.usage,
    });
  const controllers = readControllers(options);
  const plugins = await loadNamedPlugins(options);
  preferShortPauses();
  preferSmallHeap();
  const stopRequest = stopSignal();
  survivesFileSizeLimit();
  const directory = dataDirectory(options.dataDir);
  const kubeconfig = resolve(options.kubeconfig ?? directory.kubeconfig);
  const logFile = new LogFile(directory.log);
  const quiet = showsProgress(options);
  const logger = openLog({ format: options.logFormat, verbose: options.verbose ?? false, file: logFile, quiet });
  const { bind, port, apiOnly = false, featureGates, simulate } = options;
  const remoteConsoleActions = options.remoteConsoleActions ?? false;
  const choices = { bind, port, apiOnly, featureGates, simulate, remoteConsoleActions };
  const { encryptionProviderConfig, authenticationConfig } = options;
  const backups = options.backupEvery && { everyMs: options.backupEvery, keep: options.backupKeep };
  const security = {
    controllers,
    audit: options,
    consoleSignIn: options,
    tokenWebhook: options,
    encryptionProviderConfig,
    authenticationConfig,
  };
  const plane = await startPlane({
    ...security,
    directory,
    kubeconfig,
    logger,
    onOwned: () => logFile.open(),
    ...choices,
    ...(backups && { backups }),
  });
  const { endpoint } = plane;
  if (plugins.length > 0) logger.info({ plugins: plugins.map(nameAndVersion) }, 'Plugins loaded');
  logger.info({ endpoint, kubeconfig, version: slipwayVersion, pid: process.pid }, 'Serving');
  // With --log-format json, programs read the endpoint from the log instead.
  if (options.logFormat !== 'json')
    process.stdout.write(welcome({ endpoint, kubeconfig, data: directory.root, apiOnly }));
  const stopping = new AbortController();
  const started = options.quickStart === true ? startFirst(plane.client, directory.root, stopping.signal) : undefined;
  const signal = await stopRequest;
  stopping.abort(new Error('the management plane is stopping'));
  await started;
  logger.info({ signal }, 'Stopping; send the signal again to stop immediately');
  await plane.stop();
  logger.info({}, 'Stopped');
  return exitCodes.ok;
}

/** Makes a write beyond a file size limit (`ulimit -f`) fail as on a full disk. By default, its signal ends the process. */
function survivesFileSizeLimit(): void {
  if (process.platform !== 'win32') process.on('SIGXFSZ', () => undefined);
}

function readControllers({ controllers, apiOnly }: UpOptions): ReturnType<typeof parseControllers> | undefined {
  if (controllers === undefined) return undefined;
  if (apiOnly !== true)
    throw new CliError(
      '--controllers requires --api-only: the controllers of Cluster API need those of the API server',
      {
        exitCode: exitCodes.usage,
      },
    );
  try {
    return parseControllers(controllers);
  } catch (error) {
    throw new CliError(`--controllers: ${messageOf(error)}`, { exitCode: exitCodes.usage, cause: error });
  }
}

/** Creates the first cluster. A failure is reported and does not stop the management plane. */
async function startFirst(client: Client, folder: string, signal: AbortSignal): Promise<void> {
  const { quickStart } = await import('./quick-start.js');
  try {
    await quickStart({ client, folder, print: (text) => process.stdout.write(text), signal });
  } catch (error) {
    if (!signal.aborted) process.stderr.write(`Failed to create the first cluster: ${messageOf(error)}\n`);
  }
}

/**
 * Returns whether the output shows the progress of the first cluster to a person. If so, the log is written only to the
 * log file.
 */
function showsProgress({ quickStart = false, logFormat }: UpOptions): boolean {
  return quickStart && logFormat === undefined;
}
