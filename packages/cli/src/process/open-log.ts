import { createLogger, type Logger } from '@slipway/base';
import type { LogFile } from './log-file.js';

interface Terminal {
  readonly isTTY?: boolean;
}

export interface LogOptions {
  readonly format: 'text' | 'json' | undefined;
  readonly verbose: boolean;
  /** File that receives the log in addition, as JSON lines. */
  readonly file?: LogFile;
  /** Whether to write only to the file. */
  readonly quiet?: boolean;
}

/** Opens the log: text on a terminal and JSON lines elsewhere, unless the format is given. */
export function openLog(
  options: LogOptions,
  terminal: Terminal = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
): Logger {
  const { verbose, file, quiet = false } = options;
  const level = verbose ? 'debug' : 'info';
  if (quiet && file !== undefined) return createLogger({ level, destination: file });
  const { pretty, colour } = logStyle(options, terminal, environment);
  return createLogger({ level, pretty, colour, ...(file && { copy: file }) });
}

export function logStyle(
  options: LogOptions,
  terminal: Terminal,
  environment: NodeJS.ProcessEnv,
): { readonly pretty: boolean; readonly colour: boolean } {
  const watched = terminal.isTTY === true;
  const pretty = options.format === undefined ? watched : options.format === 'text';
  // Any non-empty value disables colors, as no-color.org specifies.
  const plain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return { pretty, colour: pretty && watched && !plain };
}
