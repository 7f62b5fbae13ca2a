import type { Disposable } from '@slipway/base';
import { type ControllerWorld, coreResources } from '../shared/index.js';
import { startNamespaceObject } from './per-namespace.js';

const name = 'default';

/** Every namespace has a service account for pods that name none. */
export function startDefaultServiceAccounts(world: ControllerWorld): Disposable {
  return startNamespaceObject(world, 'default-service-accounts', {
    resource: coreResources.serviceAccounts,
    name,
    wanted: (namespace) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }),
  });
}
