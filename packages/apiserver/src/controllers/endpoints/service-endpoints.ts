import type { Disposable } from '@slipway/base';
import { deepEqual, type Frozen, type KubeObject } from '@slipway/kube';
import { fields, has } from '../../kinds/shared/fields.js';
import type { LoopbackClient } from '../../registry/index.js';
import {
  type ControllerDependencies,
  coreResources,
  createController,
  endpointSlices,
  follow,
  isTerminating,
  placeKey,
  splitPlaceKey,
  storageOf,
  thaw,
} from '../shared/index.js';
import { type PodEndpoint, podEndpoints } from './pod-endpoints.js';
import { serviceNameLabel, sliceManager, desiredEndpoints, desiredSlices } from './service-objects.js';
import { isManagedBy, syncSlices } from './sync-slices.js';

const services = storageOf(coreResources.services);
const podsResource = storageOf(coreResources.pods);
const endpointsResource = storageOf(coreResources.endpoints);
const slices = storageOf(endpointSlices);

/** Maintains Endpoints and EndpointSlices of services with selectors. */
export function startServiceEndpoints(dependencies: ControllerDependencies): Disposable {
  const { store } = dependencies;
  const { scope, loop } = createController(dependencies, 'service-endpoints', async (place, client) => {
    const key = splitPlaceKey(place);
    const service = store.get({ resource: services, ...key })?.object;
    if (service === undefined) {
      await client.delete(coreResources.endpoints, key.namespace, key.name);
      return;
    }
    if (selectorOf(service) === undefined || isTerminating(service) || isEnding(dependencies, key.namespace)) return;
    const endpoints = podEndpoints(service, selectedPods(dependencies, service));
    await writeEndpoints(dependencies, client, service, endpoints);
    await syncSlices(dependencies, client, { ...key, manager: sliceManager }, desiredSlices(service, endpoints));
  });
  scope.add(
    follow(store, services, ({ key, gone, object }) => {
      // Skip a deleted service without a selector: its Endpoints are user-managed. Delete only those that this controller
      // created.
      if (!gone || selectorOf(object) !== undefined) loop.add(placeKey(key));
    }),
  );
  scope.add(
    store.watch({ resource: podsResource }, store.revision, ({ current, previous }) => {
      for (const { key, object } of store.list({ resource: services, namespace: current.key.namespace }))
        if (selects(object, current.object) || (previous !== undefined && selects(object, previous.object)))
          loop.add(placeKey(key));
    }),
  );
  scope.add(
    store.watch({ resource: endpointsResource }, store.revision, ({ current }) => {
      const service = store.get({ ...current.key, resource: services });
      if (service !== undefined) loop.add(placeKey(current.key));
    }),
  );
  scope.add(
    store.watch({ resource: slices }, store.revision, ({ current }) => {
      const name = current.object.metadata.labels?.[serviceNameLabel] ?? '';
      if (
        isManagedBy(current.object, sliceManager) &&
        store.get({ resource: services, namespace: current.key.namespace, name })
      )
        loop.add(placeKey({ namespace: current.key.namespace, name }));
    }),
  );
  return scope;
}

function isEnding(dependencies: ControllerDependencies, name: string): boolean {
  const home = dependencies.store.get({ resource: storageOf(coreResources.namespaces), namespace: '', name })?.object;
  return home === undefined || isTerminating(home);
}

function selectorOf(service: Frozen<KubeObject>): Readonly<Record<string, unknown>> | undefined {
  const { selector, type } = fields(service['spec']);
  return has(selector) && Object.keys(selector).length > 0 && type !== 'ExternalName' ? selector : undefined;
}

function selects(service: Frozen<KubeObject>, pod: Frozen<KubeObject>): boolean {
  const selector = selectorOf(service);
  const { labels = {} } = pod.metadata;
  return selector !== undefined && Object.entries(selector).every(([key, value]) => labels[key] === value);
}

function selectedPods(dependencies: ControllerDependencies, service: Frozen<KubeObject>): Frozen<KubeObject>[] {
  return dependencies.store
    .list({ resource: podsResource, namespace: service.metadata.namespace ?? '' })
    .map(({ object }) => object)
    .filter((pod) => selects(service, pod));
}

async function writeEndpoints(
  dependencies: ControllerDependencies,
  client: LoopbackClient,
  service: Frozen<KubeObject>,
  endpoints: readonly PodEndpoint[],
): Promise<void> {
  const { namespace = '', name = '' } = service.metadata;
  const desired = desiredEndpoints(service, endpoints);
  const present = dependencies.store.get({ resource: endpointsResource, namespace, name })?.object;
  if (present === undefined) {
    await client.create(desired);
    return;
  }
  if (deepEqual(present['subsets'], desired['subsets']) && deepEqual(present.metadata.labels, desired.metadata.labels))
    return;
  const next = thaw(present);
  next.metadata.labels = { ...desired.metadata.labels };
  if (desired['subsets'] === undefined) delete next['subsets'];
  else next['subsets'] = desired['subsets'];
  await client.update(next);
}
