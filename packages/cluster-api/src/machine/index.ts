export { createMachineController, machineController, type MachineControllerOptions } from './controller.js';
