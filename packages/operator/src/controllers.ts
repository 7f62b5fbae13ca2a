import { providerTypes } from '@slipway/clusterctl';
import type { ControllerDescriptor, ControllerSet } from '@slipway/runtime';
import { providerResources } from './api/index.js';
import { createHealthController, healthControllerName } from './health/health-controller.js';
import { createProviderController, providerControllerName } from './provider/controller.js';
import { ObjectFollower } from './provider/object-follower.js';
import type { OperatorWorld } from './provider/operator-world.js';

/** Providers are few, and each is installed by itself. */
const concurrencyDefault = 4;

/** Installs providers and keeps them current: two controllers for each of the seven kinds. */
export function createOperatorControllers(world: OperatorWorld): ControllerSet {
  const follower = new ObjectFollower();
  const descriptors = providerTypes.flatMap((type): ControllerDescriptor[] => {
    const resource = providerResources[type];
    return [
      {
        name: providerControllerName(resource),
        concurrencyDefault,
        create: (context) => createProviderController({ resource, context, world, follower }),
      },
      {
        name: healthControllerName(resource),
        concurrencyDefault,
        create: (context) => createHealthController(resource, context, world),
      },
    ];
  });
  return { name: 'capi-operator', controllers: descriptors };
}
