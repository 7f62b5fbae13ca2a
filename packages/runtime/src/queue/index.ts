export type { BackOffOptions } from './back-off.js';
export type { QueueMetrics } from './queue-metrics.js';
export type { QueuedItem } from './work-queue.js';
export { priorityFresh, priorityResync, WorkQueue } from './work-queue.js';
