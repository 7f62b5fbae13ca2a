import type { Kind } from '@slipway/kube';
import { resourceOf } from '@slipway/runtime';
import { hostCluster } from './host-cluster.js';
import { hostClusterTemplate } from './host-cluster-template.js';
import { hostMachine } from './host-machine.js';
import { hostMachineTemplate } from './host-machine-template.js';

/** Every kind of this package. */
export const hostKinds: readonly Kind[] = [hostClusterTemplate, hostCluster, hostMachineTemplate, hostMachine];

/** Client resources of the kinds. */
export const hostClusters = resourceOf(hostCluster);
export const hostMachines = resourceOf(hostMachine);
