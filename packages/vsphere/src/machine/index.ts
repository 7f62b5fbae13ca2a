export { providerIdOf } from './provider-id.js';
export { renderVmName } from './vm-name.js';
export { defineVSphereMachine, type VmProgress, type VmReady, type VmWaiting } from './vsphere-machine.js';
