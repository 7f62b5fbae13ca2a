import type { Disposable } from '@slipway/base';
import { type ControllerDependencies, coreResources } from '../shared/index.js';
import { startNamespaceObject } from './per-namespace.js';

const name = 'default';

/** Maintains the `default` ServiceAccount of every namespace. */
export function startDefaultServiceAccounts(dependencies: ControllerDependencies): Disposable {
  return startNamespaceObject(dependencies, 'default-service-accounts', {
    resource: coreResources.serviceAccounts,
    name,
    desired: (namespace) => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } }),
  });
}
