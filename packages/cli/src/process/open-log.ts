import { createLogger, type Logger } from '@slipway/base';

interface Terminal {
  readonly isTTY?: boolean;
}

export interface LogOptions {
  readonly format: 'text' | 'json' | undefined;
  readonly verbose: boolean;
  /** Instead of standard error. */
  readonly file?: string;
}

/** Readable lines for a person who watches, JSON lines for everything else, unless told. */
export function openLog(
  options: LogOptions,
  terminal: Terminal = process.stderr,
  environment: NodeJS.ProcessEnv = process.env,
): Logger {
  const { verbose, file } = options;
  const { pretty, colour } = logStyle(options, file === undefined ? terminal : {}, environment);
  return createLogger({ level: verbose ? 'debug' : 'info', pretty, colour, ...(file && { destination: file }) });
}

export function logStyle(
  options: LogOptions,
  terminal: Terminal,
  environment: NodeJS.ProcessEnv,
): { readonly pretty: boolean; readonly colour: boolean } {
  const watched = terminal.isTTY === true;
  const pretty = options.format === undefined ? watched : options.format === 'text';
  // no-color.org: present and not empty, whatever it says.
  const plain = (environment['NO_COLOR'] ?? '') !== '' || environment['TERM'] === 'dumb';
  return { pretty, colour: pretty && watched && !plain };
}
