import { resourceOf } from '@slipway/runtime';
import { devCluster } from './dev-cluster.js';
import { devClusterTemplate } from './dev-cluster-template.js';
import { devMachine } from './dev-machine.js';
import { devMachinePool } from './dev-machine-pool.js';
import { devMachineTemplate } from './dev-machine-template.js';

/** Client resources of the kinds, at their storage version. */
export const devClusters = resourceOf(devCluster);
export const devClusterTemplates = resourceOf(devClusterTemplate);
export const devMachines = resourceOf(devMachine);
export const devMachinePools = resourceOf(devMachinePool);
export const devMachineTemplates = resourceOf(devMachineTemplate);
