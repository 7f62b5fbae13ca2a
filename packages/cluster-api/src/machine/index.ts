export {
  additionalSyncMachineAnnotations,
  additionalSyncMachineLabels,
  machineController,
  type MachineControllerOptions,
} from './controller.js';
