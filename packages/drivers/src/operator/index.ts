export { createDriverControllers } from './controllers.js';
export { OperatorMetrics } from './operator-metrics.js';
export { createMemory, type OperatorOptions, type OperatorWorld } from './operator-world.js';
