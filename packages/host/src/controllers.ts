import type { ControllerSet } from '@slipway/runtime';
import { createHostClusterController } from './cluster/controller.js';
import type { Engine } from './engine/index.js';
import { createHostMachineController } from './machine/controller.js';

/** Returns the controllers of machines that run on this host. */
export function createHostControllers(engine: Engine): ControllerSet {
  return {
    name: 'host',
    controllers: [
      {
        name: 'hostcluster',
        concurrencyDefault: 10,
        create: (context) => createHostClusterController(engine, context),
      },
      {
        name: 'hostmachine',
        concurrencyDefault: 10,
        create: (context) => createHostMachineController(engine, context),
      },
    ],
  };
}
