export * from './kinds.js';
export * from './kvm-cluster-template.js';
export * from './kvm-cluster.js';
export * from './kvm-machine-template.js';
export * from './kvm-machine.js';
export { kvmAnnotations, kvmConditions, kvmFinalizers, kvmLabels, type KVMReason, kvmReasons } from './names.js';
export { bytesOf, type MachineSize, machineSizeOf, sizeDefaults } from './machine-size.js';
