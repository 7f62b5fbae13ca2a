export { devAdmission } from './admission/index.js';
export {
  devClusters,
  devClusterTemplates,
  devConditions,
  devConversions,
  devKinds,
  devMachines,
  devMachineTemplates,
  devReasons,
} from './api/index.js';
export { createDev, type Dev, devControllers } from './controllers.js';
export { createGuests, type Guests } from './guest/index.js';
export { connectInProcess, type Endpoint, WorkloadCluster, WorkloadClusters } from './workload/index.js';
