import { providerTypes } from '@slipway/clusterctl';
import type { ControllerDescriptor, ControllerSet } from '@slipway/runtime';
import { providerResources } from './api/index.js';
import { createHealthController, healthControllerName } from './health/health-controller.js';
import { createProviderController, providerControllerName } from './provider/controller.js';
import { ObjectFollower } from './provider/object-follower.js';
import type { OperatorDependencies } from './provider/dependencies.js';

/** Maximum concurrent reconciles for each kind. */
const concurrencyDefault = 4;

/** Creates the controllers that install and upgrade providers: a provider and a health controller for each of the seven kinds. */
export function createOperatorControllers(dependencies: OperatorDependencies): ControllerSet {
  const follower = new ObjectFollower();
  const descriptors = providerTypes.flatMap((type): ControllerDescriptor[] => {
    const resource = providerResources[type];
    return [
      {
        name: providerControllerName(resource),
        concurrencyDefault,
        create: (context) => createProviderController({ resource, context, dependencies, follower }),
      },
      {
        name: healthControllerName(resource),
        concurrencyDefault,
        create: (context) => createHealthController(resource, context, dependencies),
      },
    ];
  });
  return { name: 'capi-operator', controllers: descriptors };
}
