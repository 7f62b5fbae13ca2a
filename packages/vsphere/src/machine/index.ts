export { createVSphereMachineController, type VSphereMachineControllerOptions } from './controller.js';
export { biosUuidOf, providerIdOf } from './provider-id.js';
export { renderVmName } from './vm-name.js';
export type {
  CommonMachine,
  LeavingMachine,
  MachineAddress,
  ObservedMachine,
  VmProgress,
  VmReady,
  VmService,
  VmWaiting,
} from './vm-service.js';
