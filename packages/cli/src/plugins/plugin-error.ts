import { CliError, exitCodes } from '../errors/index.js';

/** Returns the error of a plugin that cannot be used. Nothing has been started when it is thrown. */
export function pluginError(given: string, reason: string, remedy: string, cause?: unknown): CliError {
  return new CliError(`cannot load plugin ${given}: ${reason}`, { remedy, exitCode: exitCodes.usage, cause });
}
