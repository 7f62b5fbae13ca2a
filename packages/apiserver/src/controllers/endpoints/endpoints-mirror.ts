import type { Disposable } from '@slipway/base';
import type { Frozen, KubeObject } from '@slipway/kube';
import { fields, type Fields, has, list, text } from '../../kinds/shared/fields.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  follow,
  isTerminating,
  placeKey,
  splitPlaceKey,
  storageOf,
} from '../shared/index.js';
import { managedByLabel, serviceNameLabel } from './service-objects.js';
import { syncSlices } from './sync-slices.js';

const manager = 'endpointslicemirroring-controller.k8s.io';
const skipLabel = 'endpointslice.kubernetes.io/skip-mirror';
/**
 * Annotation of Endpoints that serve as leader election locks. They change every few seconds and have no addresses, so they are
 * not mirrored.
 */
const leaderAnnotation = 'control-plane.alpha.kubernetes.io/leader';
const endpointsResource = storageOf(coreResources.endpoints);
const services = storageOf(coreResources.services);
const addressesPerSubsetMax = 1000;

/** Mirrors user-managed Endpoints of services without a selector to EndpointSlices. */
export function startEndpointsMirror(dependencies: ControllerDependencies): Disposable {
  const { store } = dependencies;
  const { scope, loop } = createController(dependencies, 'endpoints-mirror', async (place, client) => {
    const key = splitPlaceKey(place);
    const home = store.get({ resource: storageOf(coreResources.namespaces), namespace: '', name: key.namespace });
    if (home === undefined || isTerminating(home.object)) return;
    const endpoints = store.get({ resource: endpointsResource, ...key })?.object;
    const service = store.get({ resource: services, ...key })?.object;
    const mirrored = endpoints !== undefined && service !== undefined && isMirrored(endpoints, service);
    await syncSlices(dependencies, client, { ...key, manager }, mirrored ? slicesOf(endpoints) : []);
  });
  const wake = ({ key }: { readonly key: { readonly namespace: string; readonly name: string } }): void =>
    loop.add(placeKey(key));
  scope.add(follow(store, endpointsResource, wake));
  scope.add(store.watch({ resource: services }, store.revision, ({ current }) => wake(current)));
  return scope;
}

function isMirrored(endpoints: Frozen<KubeObject>, service: Frozen<KubeObject>): boolean {
  const { labels = {}, annotations = {} } = endpoints.metadata;
  const { selector } = fields(service['spec']);
  if (has(selector) && Object.keys(selector).length > 0) return false;
  return labels[skipLabel] !== 'true' && annotations[leaderAnnotation] === undefined && !isTerminating(endpoints);
}

/** Builds one slice per subset and address type. */
function slicesOf(endpoints: Frozen<KubeObject>): KubeObject[] {
  return list(endpoints['subsets']).flatMap((subset) => {
    const all = [
      ...list(subset['addresses']).map((address) => endpointOf(address, true)),
      ...list(subset['notReadyAddresses']).map((address) => endpointOf(address, false)),
    ].slice(0, addressesPerSubsetMax);
    return (['IPv4', 'IPv6'] as const).flatMap((type) => {
      const those = all.filter(({ addresses: [ip] }) => (ip.includes(':') ? 'IPv6' : 'IPv4') === type);
      return those.length === 0 ? [] : [sliceOf(endpoints, subset, type, those)];
    });
  });
}

function sliceOf(
  endpoints: Frozen<KubeObject>,
  subset: Fields,
  addressType: string,
  content: readonly MirroredEndpoint[],
): KubeObject {
  const { namespace = '', name = '', uid = '', labels = {} } = endpoints.metadata;
  const owner = { apiVersion: 'v1', kind: 'Endpoints', name, uid, controller: true, blockOwnerDeletion: true };
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      generateName: `${name}-`,
      labels: { ...labels, [serviceNameLabel]: name, [managedByLabel]: manager },
      ownerReferences: [owner],
    },
    addressType,
    endpoints: [...content],
    ports: list(subset['ports']).map((port) => ({ ...port, name: text(port['name']) })),
  };
}

interface MirroredEndpoint extends Fields {
  readonly addresses: readonly [string];
}

function endpointOf(address: Fields, ready: boolean): MirroredEndpoint {
  const { ip, hostname, nodeName, targetRef } = address;
  return {
    addresses: [text(ip)],
    conditions: { ready },
    ...(hostname === undefined ? {} : { hostname }),
    ...(nodeName === undefined ? {} : { nodeName }),
    ...(targetRef === undefined ? {} : { targetRef }),
  };
}
