export type { LogFields, Logger } from './logger.js';
export { silentLogger } from './logger.js';
