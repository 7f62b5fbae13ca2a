export { createDriverControllers, driverControllers } from './controllers.js';
export { clusterLabelNames, OperatorMetricFamilies, OperatorMetrics } from './operator-metrics.js';
export { createMemory, type OperatorDependencies, type OperatorOptions } from './dependencies.js';
export { type RunningOperator, runOperator } from './run-operator.js';
