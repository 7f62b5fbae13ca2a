import type { Disposable } from '@slipway/base';
import { deepEqual, isReason, type KubeObject } from '@slipway/kube';
import { fields } from '../../kinds/shared/fields.js';
import type { LoopbackClient } from '../../registry/index.js';
import {
  type ControllerWorld,
  coreResources,
  createController,
  endpointSlices,
  isTerminating,
  storageOf,
  thaw,
} from '../shared/index.js';
import { serviceNameLabel } from './service-objects.js';

export interface KubernetesServiceOptions {
  /** The first address of the range of services. */
  readonly clusterIp: string;
  /** Where the server listens; undefined before it does, and then the service has no endpoints yet. */
  address(): { readonly ip: string; readonly port: number } | undefined;
}

const place = { namespace: 'default', name: 'kubernetes' };
const skipMirror = { 'endpointslice.kubernetes.io/skip-mirror': 'true' };

/** Keeps the service by which clients inside a cluster find its API server. `refresh` after the address changed. */
export function startKubernetesService(
  world: ControllerWorld,
  options: KubernetesServiceOptions,
): Disposable & { refresh(): void } {
  const { store } = world;
  const { scope, loop } = createController(world, 'kubernetes-service', async (_key, client) => {
    const home = store.get({ resource: storageOf(coreResources.namespaces), namespace: '', name: place.namespace });
    if (home === undefined || isTerminating(home.object)) return;
    for (const [resource, object] of wantedObjects(options)) await ensure(world, client, resource, object);
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

/** The fields that matter; whatever else the objects have, they keep. */
function wantedObjects(options: KubernetesServiceOptions): [resource: string, object: KubeObject][] {
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
  world: ControllerWorld,
  client: LoopbackClient,
  resource: string,
  wanted: KubeObject,
): Promise<void> {
  const present = world.store.get({ resource, ...place })?.object;
  if (present === undefined) {
    try {
      await client.create(wanted);
    } catch (error) {
      if (!isReason(error, 'AlreadyExists')) throw error;
    }
    return;
  }
  const next = thaw(present);
  for (const [field, value] of Object.entries(wanted)) {
    if (['apiVersion', 'kind', 'metadata'].includes(field)) continue;
    next[field] = field === 'spec' ? { ...fields(next[field]), ports: fields(value)['ports'] } : value;
  }
  if (!deepEqual(next, present)) await client.update(next);
}
