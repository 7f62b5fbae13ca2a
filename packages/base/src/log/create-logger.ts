import { destination as openDestination, pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LogFields, Logger } from './logger.js';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface CreateLoggerOptions {
  readonly level: LogLevel;
  /** A path, or anything with `write`; standard error when absent. */
  readonly destination?: string | DestinationStream;
  /** One readable line per record instead of JSON, for a terminal. */
  readonly pretty?: boolean;
}

/** A logger on pino. Records are JSON lines with `level`, `time`, `msg` and the given fields. */
export function createLogger(options: CreateLoggerOptions): Logger {
  const { destination } = options;
  const sink = typeof destination === 'object' ? destination : openDestination(destination ?? 2);
  const logger = pino(
    {
      level: options.level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      // Belt and braces: callers never pass these, and if one does they do not get out.
      redact: ['token', 'password', 'authorization', 'headers.authorization', 'headers.cookie'],
    },
    options.pretty === true ? prettyStream(sink) : sink,
  );
  return wrap(logger);
}

function wrap(logger: PinoLogger): Logger {
  return {
    debug: (fields, message) => logger.debug(fields, message),
    info: (fields, message) => logger.info(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    error: (fields, message) => logger.error(fields, message),
    child: (fields) => wrap(logger.child(fields)),
  };
}

function prettyStream(sink: DestinationStream): DestinationStream {
  return { write: (line) => sink.write(prettyLine(line)) };
}

function prettyLine(line: string): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as LogFields;
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const facts = Object.entries(fields).map(([key, value]) => ` ${key}=${factText(value)}`);
  return `${clock} ${String(level).toUpperCase().padEnd(5)} ${String(msg)}${facts.join('')}\n`;
}

function factText(value: unknown): string {
  return typeof value === 'string' && /^[\w./:@-]+$/.test(value) ? value : JSON.stringify(value);
}
