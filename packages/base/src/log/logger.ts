/**
 * Structured logging. Messages are constant, values are fields, and object kinds are upper camel case keys. Callers log
 * references and reasons, never whole objects, so that secrets stay out of the log.
 */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  child(fields: LogFields): Logger;
}

export type LogFields = Readonly<Record<string, unknown>>;

export const silentLogger: Logger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  child: () => silentLogger,
};
