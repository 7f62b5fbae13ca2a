export * from './admission/index.js';
export * from './api/index.js';
export { createDev, type Dev, devControllers } from './controllers.js';
export { createGuests, type BootedMachine, type Guests } from './guest/index.js';
export {
  connectInProcess,
  WorkloadCluster,
  WorkloadClusters,
  type Endpoint,
  type WorkloadClustersOptions,
} from './workload/index.js';
