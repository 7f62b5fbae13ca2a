import type { Disposable } from '@slipway/base';
import { deepEqual, isReason, type KubeObject } from '@slipway/kube';
import { fields } from '../../kinds/shared/fields.js';
import type { LoopbackClient } from '../../registry/index.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  endpointSlices,
  isTerminating,
  storageOf,
  thaw,
} from '../shared/index.js';
import { serviceNameLabel } from './service-objects.js';

export interface KubernetesServiceOptions {
  /** Cluster IP of the `kubernetes` service: the first address of the service range. */
  readonly clusterIp: string;
  /** Returns the address of the server. Undefined before the server listens: the service then has no endpoints. */
  address(): { readonly ip: string; readonly port: number } | undefined;
}

const place = { namespace: 'default', name: 'kubernetes' };
const skipMirror = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };

/**
 * Maintains the `kubernetes` service, by which clients in the cluster find the API server. Call `refresh` when the address
 * changes.
 */
export function startKubernetesService(
  dependencies: ControllerDependencies,
  options: KubernetesServiceOptions,
): Disposable & { refresh(): void } {
  const { store } = dependencies;
  const { scope, loop } = createController(dependencies, 'kubernetes-service', async (_key, client) => {
    const home = store.get({ resource: storageOf(coreResources.namespaces), namespace: '', name: place.namespace });
    if (home === undefined || isTerminating(home.object)) return;
    for (const [resource, object] of desiredObjects(options)) await ensure(dependencies, client, resource, object);
  });
  const wake = (): void => loop.add(place.name);
  const from = store.revision;
  for (const ref of [coreResources.services, coreResources.endpoints, endpointSlices])
    scope.add(store.watch({ resource: storageOf(ref), ...place }, from, wake));
  const namespace = { resource: storageOf(coreResources.namespaces), namespace: '', name: place.namespace };
  scope.add(store.watch(namespace, from, wake));
  wake();
  return { refresh: wake, dispose: () => scope.dispose() };
}

/** Returns the fields that this controller manages. Other fields of the objects are kept. */
function desiredObjects(options: KubernetesServiceOptions): [resource: string, object: KubeObject][] {
  const server = options.address();
  const service: KubeObject = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { ...place, labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      type: 'ClusterIP',
      clusterIP: options.clusterIp,
      sessionAffinity: 'None',
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: server?.port ?? 443 }],
    },
  };
  if (server === undefined) return [[storageOf(coreResources.services), service]];
  const port = { name: 'https', port: server.port, protocol: 'TCP' };
  const endpoints: KubeObject = {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: { ...place, labels: skipMirror },
    subsets: [{ addresses: [{ ip: server.ip }], ports: [port] }],
  };
  const slice: KubeObject = {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { ...place, labels: { [serviceNameLabel]: place.name } },
    addressType: server.ip.includes(':') ? 'IPv6' : 'IPv4',
    endpoints: [{ addresses: [server.ip], conditions: { ready: true } }],
    ports: [{ ...port }],
  };
  return [
    [storageOf(coreResources.services), service],
    [storageOf(coreResources.endpoints), endpoints],
    [storageOf(endpointSlices), slice],
  ];
}

async function ensure(
  dependencies: ControllerDependencies,
  client: LoopbackClient,
  resource: string,
  desired: KubeObject,
): Promise<void> {
  const present = dependencies.store.get({ resource, ...place })?.object;
  if (present === undefined) {
    try {
      await client.create(desired);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
    return;
  }
  const next = thaw(present);
  for (const [field, value] of Object.entries(desired)) {
    if (['apiVersion', 'kind', 'metadata'].includes(field)) continue;
    next[field] = field === 'spec' ? { ...fields(next[field]), ports: fields(value)['ports'] } : value;
  }
  if (!deepEqual(next, present)) await client.update(next);
}
