import type { Frozen, KubeObject } from '@slipway/kube';
import { fields, type Fields, texts } from '../../kinds/shared/fields.js';
import { groupByPorts, type PodEndpoint } from './pod-endpoints.js';

export const serviceNameLabel = 'kubernetes.io/service-name';
export const managedByLabel = 'endpointslice.kubernetes.io/managed-by';
export const sliceManager = 'endpointslice-controller.k8s.io';
const headlessLabel = 'service.kubernetes.io/headless';
const endpointsManagedBy = 'endpoints.kubernetes.io/managed-by';
const endpointsPerSliceMax = 100;
const addressesMax = 1000;

/** Builds the Endpoints object of a service with a selector. */
export function desiredEndpoints(service: Frozen<KubeObject>, endpoints: readonly PodEndpoint[]): KubeObject {
  const { name = '', namespace = '', labels = {} } = service.metadata;
  const shown = endpoints.slice(0, addressesMax).filter(({ ports }) => ports.length > 0 || isHeadless(service));
  const subsets = groupByPorts(shown.filter((endpoint) => endpoint.ready || !endpoint.terminating)).map(subsetOf);
  return {
    apiVersion: 'v1',
    kind: 'Endpoints',
    metadata: {
      name,
      namespace,
      labels: {
        ...labels,
        ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
        [endpointsManagedBy]: 'endpoint-controller',
      },
    },
    ...(subsets.length === 0 ? {} : { subsets }),
  };
}

function subsetOf(group: readonly PodEndpoint[]): Fields {
  const [ready, waiting] = [group.filter((one) => one.ready), group.filter((one) => !one.ready)];
  const ports = group[0]?.ports ?? [];
  return {
    ...(ready.length === 0 ? {} : { addresses: ready.map(addressOf) }),
    ...(waiting.length === 0 ? {} : { notReadyAddresses: waiting.map(addressOf) }),
    ...(ports.length === 0
      ? {}
      : { ports: ports.map(({ name, ...port }) => (name === '' ? port : { name, ...port })) }),
  };
}

function addressOf({ addresses, nodeName, hostname, target }: PodEndpoint): Fields {
  return {
    ip: addresses[0],
    ...(hostname === '' ? {} : { hostname }),
    ...(nodeName === '' ? {} : { nodeName }),
    targetRef: { ...target },
  };
}

function isHeadless(service: Frozen<KubeObject>): boolean {
  return fields(service['spec'])['clusterIP'] === 'None';
}

/** Builds the EndpointSlices of a service, without their names: at least one slice, each within the size limit. */
export function desiredSlices(service: Frozen<KubeObject>, endpoints: readonly PodEndpoint[]): KubeObject[] {
  const groups = groupByPorts(endpoints);
  if (groups.length === 0) groups.push([]);
  return groups.flatMap((group) => {
    const slices: KubeObject[] = [];
    for (let start = 0; start === 0 || start < group.length; start += endpointsPerSliceMax)
      slices.push(sliceOf(service, group.slice(start, start + endpointsPerSliceMax)));
    return slices;
  });
}

function sliceOf(service: Frozen<KubeObject>, endpoints: readonly PodEndpoint[]): KubeObject {
  const { name = '', namespace = '', uid = '', labels = {} } = service.metadata;
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      namespace,
      generateName: `${name}-`,
      labels: {
        ...labels,
        ...(isHeadless(service) ? { [headlessLabel]: '' } : {}),
        [serviceNameLabel]: name,
        [managedByLabel]: sliceManager,
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Service', name, uid, controller: true, blockOwnerDeletion: true }],
    },
    addressType: texts(fields(service['spec'])['ipFamilies'])[0] ?? 'IPv4',
    endpoints: endpoints.map(sliceEndpoint),
    ports: (endpoints[0]?.ports ?? []).map((port) => ({ ...port })),
  };
}

function sliceEndpoint({ addresses, ready, serving, terminating, nodeName, hostname, target }: PodEndpoint): Fields {
  return {
    addresses: [...addresses],
    conditions: { ready, serving, terminating },
    ...(hostname === '' ? {} : { hostname }),
    ...(nodeName === '' ? {} : { nodeName }),
    targetRef: { ...target },
  };
}
