import { DirectoryInUse, UnsupportedFormat } from '@slipway/apiserver';
import { CliError, exitCodes, messageOf, systemCode } from '../errors/index.js';
import { type DataDirectory, findInstance } from '../instance/index.js';

/** Says why the data cannot be opened, and whom to ask to let go of it. */
export async function storeError(directory: DataDirectory, error: unknown): Promise<unknown> {
  if (error instanceof DirectoryInUse) {
    const run = (await findInstance(directory))?.run;
    const where = run === undefined ? '' : `, which serves ${run.endpoint}`;
    return new CliError(`${directory.root} is in use by process ${error.pid}${where}`, {
      remedy: 'stop it with `slipway down`, or give this one its own directory with --data-dir',
      exitCode: exitCodes.inUse,
      cause: error,
    });
  }
  if (error instanceof UnsupportedFormat) return new CliError(error.message, { cause: error });
  return error;
}

/** Says why the port cannot be opened. */
export function listenError(bind: string, port: number, error: unknown): unknown {
  const where = `${bind}:${port}`;
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new CliError(`port ${port} on ${bind} is taken by another program`, {
        remedy: 'choose another with --port, or --port 0 for any free one',
        exitCode: exitCodes.inUse,
        cause: error,
      });
    case 'EACCES':
      return new CliError(`this user may not serve on ${where}`, {
        remedy: 'choose a port above 1023 with --port',
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CliError(`cannot serve on ${where}: ${bind} is not an address of this machine`, {
        remedy: 'give one with --bind: 127.0.0.1 for this machine only, 0.0.0.0 for every address it has',
        cause: error,
      });
    default:
      return new CliError(`cannot serve on ${where}: ${messageOf(error)}`, { cause: error });
  }
}
