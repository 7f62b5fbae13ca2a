import type { ControllerSet } from '@slipway/runtime';
import { createHostClusterController } from './cluster/controller.js';
import type { Engine } from './engine/index.js';
import { createHostMachineController } from './machine/controller.js';

/** Real nodes on this computer. */
export function createHostControllers(engine: Engine): ControllerSet {
  return {
    name: 'host',
    controllers: [
      {
        name: 'hostcluster',
        concurrencyDefault: 10,
        create: ({ sources, concurrency, watchFilter }) =>
          createHostClusterController({ engine, sources, concurrency, filter: watchFilter }),
      },
      {
        name: 'hostmachine',
        concurrencyDefault: 10,
        create: ({ sources, concurrency, watchFilter }) =>
          createHostMachineController({ engine, sources, concurrency, filter: watchFilter }),
      },
    ],
  };
}
