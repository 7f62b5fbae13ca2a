export { machineController, type MachineControllerOptions } from './controller.js';
