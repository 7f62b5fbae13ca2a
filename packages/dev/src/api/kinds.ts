import type { Kind } from '@slipway/kube';
import { devCluster } from './dev-cluster.js';
import { devClusterTemplate } from './dev-cluster-template.js';
import { devMachine } from './dev-machine.js';
import { devMachinePool } from './dev-machine-pool.js';
import { devMachinePoolTemplate } from './dev-machine-pool-template.js';
import { devMachineTemplate } from './dev-machine-template.js';

/** Every kind of this package. */
export const devKinds: readonly Kind[] = [
  devClusterTemplate,
  devCluster,
  devMachinePoolTemplate,
  devMachinePool,
  devMachineTemplate,
  devMachine,
];
