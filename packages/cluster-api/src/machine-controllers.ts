import type { ControllerDescriptor } from '@slipway/runtime';
import { createMachineDeploymentController } from './machine-deployment/index.js';
import { createMachineHealthCheckController } from './machine-health-check/index.js';
import { createMachinePoolController } from './machine-pool/index.js';
import { createMachineSetController } from './machine-set/index.js';
import {
  createTemplatesOfDeploymentsController,
  createTemplatesOfSetsController,
} from './template-collection/index.js';

/** Those that keep groups of machines. */
export const machineControllers: readonly ControllerDescriptor[] = [
  { name: 'machineset', create: (context) => createMachineSetController(context) },
  { name: 'machinedeployment', create: createMachineDeploymentController },
  { name: 'machinehealthcheck', create: createMachineHealthCheckController },
  { name: 'machinepool', featureGate: 'MachinePool', create: createMachinePoolController },
  { name: 'topology/machineset', featureGate: 'ClusterTopology', create: createTemplatesOfSetsController },
  {
    name: 'topology/machinedeployment',
    featureGate: 'ClusterTopology',
    create: createTemplatesOfDeploymentsController,
  },
];
