import { DecryptionFailed, DirectoryInUse } from '@slipway/apiserver';
import { unreadableStoreError } from '../archive/store-errors.js';
import { CliError, exitCodes, messageOf, systemCode } from '../errors/index.js';
import { type DataDirectory, findInstance } from '../instance/index.js';

/** Explains why the data directory cannot be opened, and which process holds its lock. */
export async function storeError(directory: DataDirectory, error: unknown): Promise<unknown> {
  if (error instanceof DirectoryInUse) {
    const run = (await findInstance(directory))?.run;
    const where = run === undefined ? '' : `, which serves ${run.endpoint}`;
    return new CliError(`${directory.root} is in use by process ${error.pid}${where}`, {
      remedy: 'stop it with `slipway down`, or choose another directory with --data-dir',
      exitCode: exitCodes.inUse,
      cause: error,
    });
  }
  if (error instanceof DecryptionFailed)
    return new CliError(error.message, {
      remedy: 'add the missing key to the file of --encryption-provider-config; no data was changed',
      cause: error,
    });
  return unreadableStoreError(directory, error);
}

/** Explains why the server cannot listen on the port. */
export function listenError(bind: string, port: number, error: unknown): unknown {
  const where = `${bind}:${port}`;
  switch (systemCode(error)) {
    case 'EADDRINUSE':
      return new CliError(`port ${port} on ${bind} is in use by another process`, {
        remedy: 'choose another port with --port; 0 selects a free port',
        exitCode: exitCodes.inUse,
        cause: error,
      });
    case 'EACCES':
      return new CliError(`this user is not allowed to listen on ${where}`, {
        remedy: 'choose a port above 1023 with --port',
        cause: error,
      });
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EINVAL':
      return new CliError(`cannot serve on ${where}: ${bind} is not an address of this host`, {
        remedy: 'set --bind: 127.0.0.1 for this host only, 0.0.0.0 for all its addresses',
        cause: error,
      });
    default:
      return new CliError(`cannot serve on ${where}: ${messageOf(error)}`, { cause: error });
  }
}
