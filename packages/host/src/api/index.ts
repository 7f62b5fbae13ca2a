export * from './host-cluster-template.js';
export * from './host-cluster.js';
export * from './host-machine-template.js';
export * from './host-machine.js';
export * from './kinds.js';
export { hostConditions, hostFinalizers, hostReasons } from './names.js';
