export { buildMachineScript } from './build-machine.js';
export { enterNamespacesScript } from './enter-namespaces.js';
export { runMachineScript } from './run-machine.js';
export { systemctlScript } from './systemctl.js';
