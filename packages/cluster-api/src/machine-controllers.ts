import type { ControllerDescriptor } from '@slipway/runtime';
import { createMachineDeploymentController } from './machine-deployment/index.js';
import { createMachineHealthCheckController } from './machine-health-check/index.js';
import { createMachinePoolController } from './machine-pool/index.js';
import { createMachineSetController } from './machine-set/index.js';
import {
  createTemplatesOfDeploymentsController,
  createTemplatesOfSetsController,
} from './template-collection/index.js';

/** Controllers of machine groups. */
export const machineControllers: readonly ControllerDescriptor[] = [
  { name: 'machineset', concurrencyDefault: 50, create: createMachineSetController },
  { name: 'machinedeployment', concurrencyDefault: 50, create: createMachineDeploymentController },
  { name: 'machinehealthcheck', concurrencyDefault: 50, create: createMachineHealthCheckController },
  { name: 'machinepool', concurrencyDefault: 50, featureGate: 'MachinePool', create: createMachinePoolController },
  {
    name: 'topology/machineset',
    concurrencyDefault: 25,
    featureGate: 'ClusterTopology',
    create: createTemplatesOfSetsController,
  },
  {
    name: 'topology/machinedeployment',
    concurrencyDefault: 25,
    featureGate: 'ClusterTopology',
    create: createTemplatesOfDeploymentsController,
  },
];
