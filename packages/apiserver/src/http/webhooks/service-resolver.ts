import { fieldsOf, itemsOf, textOf } from '@slipway/kube';
import type { Store } from '../../contract/index.js';
import type { ServiceAddress, ServiceResolver } from './webhook-client.js';

/**
 * Resolves services from the store. This server has no access to the cluster network, so cluster IPs are unreachable: it
 * connects to the ready endpoints of the service, or to the name of an ExternalName service.
 */
export function storeServiceResolver(store: Store): ServiceResolver {
  return (namespace, name, port) => {
    const service = store.get({ resource: 'services', namespace, name })?.object;
    if (service === undefined) throw new Error(`service "${name}" not found`);
    const spec = fieldsOf(service['spec']);
    if (spec['type'] === 'ExternalName') return { host: textOf(spec['externalName']), port };
    const servicePort = itemsOf(spec['ports']).find((one) => one['port'] === port);
    if (servicePort === undefined) throw new Error(`no service port ${port} found for service "${name}"`);
    const portName = textOf(servicePort['name']);
    const address =
      addressFromSlices(store, namespace, name, portName) ?? addressFromEndpoints(store, namespace, name, portName);
    if (address === undefined) throw new Error(`no endpoints available for service "${name}"`);
    return address;
  };
}

const slices = 'discovery.k8s.io/endpointslices';
const serviceNameLabel = 'kubernetes.io/service-name';

function addressFromSlices(
  store: Store,
  namespace: string,
  name: string,
  portName: string,
): ServiceAddress | undefined {
  for (const { object } of store.list({ resource: slices, namespace })) {
    if (object.metadata.labels?.[serviceNameLabel] !== name) continue;
    const port = itemsOf(object['ports']).find((one) => textOf(one['name']) === portName)?.['port'];
    const endpoint = itemsOf(object['endpoints']).find((one) => fieldsOf(one['conditions'])['ready'] !== false);
    const host = Array.isArray(endpoint?.['addresses']) ? textOf(endpoint['addresses'][0]) : '';
    if (typeof port === 'number' && host !== '') return { host, port };
  }
  return undefined;
}

function addressFromEndpoints(
  store: Store,
  namespace: string,
  name: string,
  portName: string,
): ServiceAddress | undefined {
  const endpoints = store.get({ resource: 'endpoints', namespace, name })?.object;
  if (endpoints === undefined) return undefined;
  for (const subset of itemsOf(endpoints['subsets'])) {
    const port = itemsOf(subset['ports']).find((one) => textOf(one['name']) === portName)?.['port'];
    const host = textOf(itemsOf(subset['addresses'])[0]?.['ip']);
    if (typeof port === 'number' && host !== '') return { host, port };
  }
  return undefined;
}
