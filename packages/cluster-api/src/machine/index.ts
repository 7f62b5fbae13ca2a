export {
  additionalSyncMachineAnnotations,
  additionalSyncMachineLabels,
  machineController,
} from './controller.js';
