export { createDriverControllers, driverControllers } from './controllers.js';
export { clusterLabelNames, OperatorMetricFamilies, OperatorMetrics } from './operator-metrics.js';
export { createMemory, type OperatorOptions, type OperatorWorld } from './operator-world.js';
export { type OperatedCluster, runOperator, type RunningOperator, type RunOperatorOptions } from './run-operator.js';
