export type { CreateLoggerOptions, LogLevel } from './create-logger.js';
export { createLogger } from './create-logger.js';
export type { LogFields, Logger } from './logger.js';
export { silentLogger } from './logger.js';
