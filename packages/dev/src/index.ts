export * from './admission/index.js';
export * from './api/index.js';
export { createDev, type Dev } from './controllers.js';
export type { BootedMachine, Guests } from './guest/index.js';
export { WorkloadCluster, WorkloadClusters, type WorkloadClustersOptions } from './workload/index.js';
