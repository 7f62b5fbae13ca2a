import { type AnyPredicate, type Controller, createController } from '@slipway/runtime';
import { vsphereClusterIdentities } from '../../api/index.js';
import type { VCenterWorld } from '../world.js';
import { reconcileIdentity } from './reconcile.js';

export interface IdentityControllerOptions {
  readonly world: VCenterWorld;
  readonly concurrency: number;
  readonly filter: AnyPredicate;
}

export function createIdentityController({ world, concurrency, filter }: IdentityControllerOptions): Controller {
  return createController({
    name: 'vsphereclusteridentity',
    for: vsphereClusterIdentities,
    concurrency,
    filter,
    reconcile: (key, context) => reconcileIdentity(key, context, world),
  });
}
