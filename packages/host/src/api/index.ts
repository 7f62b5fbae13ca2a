export { hostClusterTemplate } from './host-cluster-template.js';
export { type HostCluster, hostCluster } from './host-cluster.js';
export { hostMachineTemplate } from './host-machine-template.js';
export type { HostMachine } from './host-machine.js';
export { hostClusters, hostKinds, hostMachines } from './kinds.js';
export { hostConditions, hostFinalizers, hostReasons } from './names.js';
