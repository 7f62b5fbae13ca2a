import type { ControllerSet } from '@slipway/runtime';
import { createPondClusterController } from './cluster-controller.js';
import { createPondMachineController } from './machine-controller.js';
import type { Pond } from './pond.js';

/** Creates the controllers, for `slipway up` and `slipway manager`. */
export function createPondControllers(pond: Pond): ControllerSet {
  return {
    name: 'pond',
    controllers: [
      { name: 'pondcluster', create: createPondClusterController },
      { name: 'pondmachine', create: (context) => createPondMachineController(pond, context) },
    ],
  };
}
