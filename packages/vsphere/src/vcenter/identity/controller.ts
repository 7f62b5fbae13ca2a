import { type Controller, type ControllerContext, createController } from '@slipway/runtime';
import { vsphereClusterIdentities } from '../../api/index.js';
import { identitiesOfSecret } from '../credentials/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { reconcileIdentity } from './reconcile.js';

export function createIdentityController(context: ControllerContext, dependencies: VCenterDependencies): Controller {
  const { sources, concurrency, watchFilter: filter } = context;
  return createController({
    name: 'vsphereclusteridentity',
    for: vsphereClusterIdentities,
    concurrency,
    filter,
    triggers: [
      (enqueue) =>
        dependencies.credentials.subscribe((secret) => {
          for (const key of identitiesOfSecret(sources, dependencies.controllerNamespace, secret)) enqueue(key);
        }),
    ],
    reconcile: (key, reconcileContext) => reconcileIdentity(key, reconcileContext, dependencies),
  });
}
