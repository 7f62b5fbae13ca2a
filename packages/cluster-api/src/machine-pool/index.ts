export { createMachinePoolController } from './controller.js';
