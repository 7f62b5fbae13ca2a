export { createLogger, prettyLine } from './create-logger.js';
export { type LogFields, type Logger, silentLogger } from './logger.js';
