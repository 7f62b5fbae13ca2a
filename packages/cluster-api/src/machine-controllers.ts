import type { ControllerDescriptor } from '@slipway/runtime';
import { createMachineDeploymentController } from './machine-deployment/index.js';
import { createMachineHealthCheckController } from './machine-health-check/index.js';
import { createMachineSetController } from './machine-set/index.js';

/** Those that keep groups of machines. */
export const machineControllers: readonly ControllerDescriptor[] = [
  { name: 'machineset', create: (context) => createMachineSetController(context) },
  { name: 'machinedeployment', create: createMachineDeploymentController },
  { name: 'machinehealthcheck', create: createMachineHealthCheckController },
];
