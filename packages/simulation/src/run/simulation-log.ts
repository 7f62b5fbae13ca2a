import type { LogFields, Logger } from '@slipway/base';
import { messageOf } from '../environment/system.js';

export interface LogSink {
  readonly line: (text: string) => void;
  /** An error that neither input nor an injected fault explains. */
  readonly programmingError: (error: Error) => void;
}

const programmingErrors = [TypeError, ReferenceError, SyntaxError] as const;

/** Writes warnings and errors to the transcript, and detects errors that only a bug can cause. */
export function simulationLogger(sink: LogSink, context = ''): Logger {
  const write = (fields: LogFields, message: string): void => {
    const error = fields['err'];
    if (error instanceof Error && programmingErrors.some((type) => error instanceof type)) sink.programmingError(error);
    const cause = error === undefined ? '' : `: ${messageOf(error)}`;
    sink.line(`log${context}: ${message}${cause}`);
  };
  return {
    debug: (fields) => {
      const error = fields['err'];
      if (error instanceof Error && programmingErrors.some((type) => error instanceof type))
        sink.programmingError(error);
    },
    info: () => undefined,
    warn: write,
    error: write,
    child: (fields) => {
      const name = fields['controller'];
      return typeof name === 'string' ? simulationLogger(sink, ` ${name}`) : simulationLogger(sink, context);
    },
  };
}
