import { type AnyPredicate, type Controller, createController, type Sources } from '@slipway/runtime';
import { vsphereClusterIdentities } from '../../api/index.js';
import { identitiesOfSecret } from '../credentials/index.js';
import type { VCenterWorld } from '../world.js';
import { reconcileIdentity } from './reconcile.js';

export interface IdentityControllerOptions {
  readonly world: VCenterWorld;
  readonly sources: Sources;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createIdentityController(options: IdentityControllerOptions): Controller {
  const { world, sources, concurrency, filter } = options;
  return createController({
    name: 'vsphereclusteridentity',
    for: vsphereClusterIdentities,
    concurrency,
    filter,
    triggers: [
      (enqueue) =>
        world.credentials.subscribe((secret) => {
          for (const key of identitiesOfSecret(sources, world.controllerNamespace, secret)) enqueue(key);
        }),
    ],
    reconcile: (key, context) => reconcileIdentity(key, context, world),
  });
}
