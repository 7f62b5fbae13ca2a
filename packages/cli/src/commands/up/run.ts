import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { preferShortPauses, preferSmallHeap } from '@slipway/apiserver';
import type { Client } from '@slipway/runtime';
import { CliError, type ExitCode, exitCodes, messageOf, onFile } from '../../errors/index.js';
import { type DataDirectory, dataDirectory, makeDirectory } from '../../instance/index.js';
import { startPlane } from '../../plane/start-plane.js';
import { openLog } from '../../process/open-log.js';
import { stopSignal } from '../../process/stop-signal.js';
import { slipwayVersion } from '../../version.js';
import type { UpOptions } from './command.js';
import { welcome } from './text.js';

/** Runs until a signal ends it. */
export async function up(options: UpOptions): Promise<ExitCode> {
  if (options.quickStart === true && options.apiOnly === true)
    throw new CliError('--quick-start needs the controllers that --api-only leaves out', { exitCode: exitCodes.usage });
  preferShortPauses();
  preferSmallHeap();
  const asked = stopSignal();
  const directory = dataDirectory(options.dataDir);
  const kubeconfig = resolve(options.kubeconfig ?? directory.kubeconfig);
  const logFile = showsPicture(options) ? await freshLog(directory) : undefined;
  const logger = openLog({ format: options.logFormat, verbose: options.verbose ?? false, file: logFile });
  const { bind, port, apiOnly = false, featureGates, simulate } = options;
  const remoteConsoleActions = options.remoteConsoleActions ?? false;
  const choices = { bind, port, apiOnly, featureGates, simulate, remoteConsoleActions };
  const plane = await startPlane({ directory, kubeconfig, logger, ...choices });
  const { endpoint } = plane;
  logger.info({ endpoint, kubeconfig, version: slipwayVersion, pid: process.pid }, 'Serving');
  // Whoever asks for JSON reads it from there; a person gets it in words.
  if (options.logFormat !== 'json') process.stdout.write(welcome(endpoint, kubeconfig, directory.root, logFile));
  const stopping = new AbortController();
  const started = options.quickStart === true ? startFirst(plane.client, directory.root, stopping.signal) : undefined;
  const signal = await asked;
  stopping.abort(new Error('the management plane is stopping'));
  await started;
  logger.info({ signal }, 'Stopping; once more to stop at once');
  await plane.stop();
  logger.info({}, 'Stopped');
  return exitCodes.ok;
}

/** What goes wrong with the first cluster leaves the management plane as it is, and is told. */
async function startFirst(client: Client, folder: string, signal: AbortSignal): Promise<void> {
  const { quickStart } = await import('./quick-start.js');
  try {
    await quickStart({ client, folder, print: (text) => process.stdout.write(text), signal });
  } catch (error) {
    if (!signal.aborted) process.stderr.write(`The first cluster did not come up: ${messageOf(error)}\n`);
  }
}

/** The tree of the first cluster is drawn again and again in its place: lines of the log would tear it. */
function showsPicture({ quickStart = false, logFormat }: UpOptions): boolean {
  return quickStart && logFormat === undefined && process.stdout.isTTY && process.stderr.isTTY;
}

/** The log of this run only. */
async function freshLog({ root, log }: DataDirectory): Promise<string> {
  return onFile('write', log, async () => {
    await makeDirectory(root);
    await writeFile(log, '', { mode: 0o600 });
    return log;
  });
}
