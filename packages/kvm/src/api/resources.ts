import { resourceOf } from '@slipway/runtime';
import { kvmCluster } from './kvm-cluster.js';
import { kvmClusterTemplate } from './kvm-cluster-template.js';
import { kvmMachine } from './kvm-machine.js';
import { kvmMachineTemplate } from './kvm-machine-template.js';

/** The kinds as clients name them. */
export const kvmClusters = resourceOf(kvmCluster);
export const kvmClusterTemplates = resourceOf(kvmClusterTemplate);
export const kvmMachines = resourceOf(kvmMachine);
export const kvmMachineTemplates = resourceOf(kvmMachineTemplate);
