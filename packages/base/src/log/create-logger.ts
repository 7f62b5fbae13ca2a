import { destination as openDestination, pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import type { LogFields, Logger } from './logger.js';

type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

export interface CreateLoggerOptions {
  readonly level: LogLevel;
  /** A file path or an object with `write`. Defaults to standard error. */
  readonly destination?: string | DestinationStream;
  /** Write one readable line per record instead of JSON, for terminals. */
  readonly pretty?: boolean;
  /** Colour the readable lines. */
  readonly colour?: boolean;
  /** Additional destination that receives every record, always as a JSON line. */
  readonly copy?: DestinationStream;
}

/** Creates a logger based on pino. Records are JSON lines with `level`, `time`, `msg` and the given fields. */
export function createLogger(options: CreateLoggerOptions): Logger {
  const { destination } = options;
  const sink = typeof destination === 'object' ? destination : openDestination(destination ?? 2);
  const logger = pino(
    {
      level: options.level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      // Callers must not pass these fields. Redact them in case a caller does.
      redact: ['token', 'password', 'authorization', 'headers.authorization', 'headers.cookie'],
    },
    withCopy(
      options.pretty === true
        ? prettyStream(sink, { colour: options.colour ?? false, stacks: options.level === 'debug' })
        : sink,
      options.copy,
    ),
  );
  return wrap(logger);
}

function withCopy(stream: DestinationStream, copy: DestinationStream | undefined): DestinationStream {
  if (copy === undefined) return stream;
  return {
    write: (line) => {
      copy.write(line);
      stream.write(line);
    },
  };
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

interface LineStyle {
  readonly colour: boolean;
  readonly stacks: boolean;
}

const levelColours: Readonly<Record<string, string>> = { debug: '2', info: '32', warn: '33', error: '31' };

function prettyStream(sink: DestinationStream, style: LineStyle): DestinationStream {
  return { write: (line) => sink.write(prettyLine(line, style)) };
}

/** Formats a record, which is a JSON line, as a readable line. */
export function prettyLine(line: string, style: LineStyle): string {
  const { level, time, msg, ...fields } = JSON.parse(line) as LogFields;
  const paint = (code: string, text: string): string => (style.colour ? `\u001B[${code}m${text}\u001B[0m` : text);
  const clock = new Date(Number(time)).toISOString().slice(11, 19);
  const label = String(level).toUpperCase().padEnd(5);
  const facts = Object.entries(fields).map(([key, value]) => ` ${paint('2', `${key}=`)}${factText(value)}`);
  const stack = style.stacks ? stackOf(fields['err']) : '';
  const head = `${paint('2', clock)} ${paint(levelColours[String(level)] ?? '0', label)} ${String(msg)}`;
  return `${head}${facts.join('')}${stack}\n`;
}

function factText(value: unknown): string {
  // A serialized error: print its message, and its stack only at level debug.
  const printed = isRecord(value) && typeof value['message'] === 'string' ? value['message'] : value;
  return typeof printed === 'string' && /^[\w./:@-]+$/.test(printed) ? printed : JSON.stringify(printed);
}

function stackOf(error: unknown): string {
  return isRecord(error) && typeof error['stack'] === 'string' ? `\n${error['stack']}` : '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
