export * from './admission/index.js';
export * from './api/index.js';
export { createDev, type Dev } from './controllers.js';
export { WorkloadCluster, WorkloadClusters, type WorkloadClustersOptions } from './workload/index.js';
