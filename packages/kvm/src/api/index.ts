export { kvmClusters, kvmConversions, kvmKinds, kvmMachines, kvmMachineTemplates } from './kinds.js';
export { kvmClusterTemplate } from './kvm-cluster-template.js';
export { type KVMCluster, kvmCluster } from './kvm-cluster.js';
export { type KVMMachineTemplate, kvmMachineTemplate } from './kvm-machine-template.js';
export { type KVMMachine, kvmMachine } from './kvm-machine.js';
export { kvmAnnotations, kvmConditions, kvmFinalizers, kvmLabels, type KVMReason, kvmReasons } from './names.js';
export { bytesOf, type MachineSize, machineSizeOf, sizeDefaults } from './machine-size.js';
