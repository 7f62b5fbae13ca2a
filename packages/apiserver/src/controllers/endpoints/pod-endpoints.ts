import type { Frozen, KubeObject } from '@slipway/kube';
import { fields, type Fields, list, number, text, texts } from '../../kinds/shared/fields.js';

interface EndpointPort {
  readonly name: string;
  readonly port: number;
  readonly protocol: string;
  readonly appProtocol?: string;
}

/** A pod as an endpoint of a service. */
export interface PodEndpoint {
  readonly addresses: readonly string[];
  readonly nodeName: string;
  readonly hostname: string;
  readonly ready: boolean;
  readonly serving: boolean;
  readonly terminating: boolean;
  readonly target: { readonly kind: 'Pod'; readonly namespace: string; readonly name: string; readonly uid: string };
  readonly ports: readonly EndpointPort[];
}

/** Returns the endpoints of a service, sorted by pod name. Pods without an address and terminated pods are excluded. */
export function podEndpoints(service: Frozen<KubeObject>, pods: readonly Frozen<KubeObject>[]): PodEndpoint[] {
  return pods.flatMap((pod) => {
    const status = fields(pod['status']);
    const phase = text(status['phase']);
    const addresses = addressesOf(status, texts(fields(service['spec'])['ipFamilies'])[0] ?? 'IPv4');
    if (addresses.length === 0 || phase === 'Succeeded' || phase === 'Failed') return [];
    return [endpointOf(service, pod, addresses)];
  });
}

function endpointOf(service: Frozen<KubeObject>, pod: Frozen<KubeObject>, addresses: readonly string[]): PodEndpoint {
  const [serviceSpec, podSpec] = [fields(service['spec']), fields(pod['spec'])];
  const { namespace = '', name = '', uid = '', deletionTimestamp } = pod.metadata;
  const conditions = list(fields(pod['status'])['conditions']);
  const serving =
    serviceSpec['publishNotReadyAddresses'] === true ||
    conditions.some(({ type, status }) => type === 'Ready' && status === 'True');
  const terminating = (deletionTimestamp ?? '') !== '';
  const ready = serving && (!terminating || serviceSpec['publishNotReadyAddresses'] === true);
  const named = text(podSpec['subdomain']) === service.metadata.name ? text(podSpec['hostname']) : '';
  return {
    addresses,
    nodeName: text(podSpec['nodeName']),
    hostname: named,
    ready,
    serving,
    terminating,
    target: { kind: 'Pod', namespace, name, uid },
    ports: list(serviceSpec['ports']).flatMap((port) => portOf(port, podSpec)),
  };
}

function addressesOf(status: Fields, family: string): string[] {
  const all = list(status['podIPs']).map(({ ip }) => text(ip));
  const known = all.length > 0 ? all : [text(status['podIP'])];
  const first = known.find((address) => address !== '' && address.includes(':') === (family === 'IPv6'));
  return first === undefined ? [] : [first];
}

/** Resolves a service port to the endpoint port. Returns nothing if no container of the pod has a port with the target name. */
function portOf(port: Fields, podSpec: Fields): EndpointPort[] {
  const protocol = text(port['protocol']) || 'TCP';
  const { targetPort } = port;
  const target = typeof targetPort === 'string' ? containerPort(podSpec, targetPort, protocol) : number(targetPort);
  if (target === 0) return [];
  const appProtocol = text(port['appProtocol']);
  return [{ name: text(port['name']), port: target, protocol, ...(appProtocol === '' ? {} : { appProtocol }) }];
}

function containerPort(podSpec: Fields, name: string, protocol: string): number {
  for (const container of list(podSpec['containers']))
    for (const port of list(container['ports']))
      if (port['name'] === name && (text(port['protocol']) || 'TCP') === protocol) return number(port['containerPort']);
  return 0;
}

/** Groups endpoints by their ports, in order of first appearance. */
export function groupByPorts(endpoints: readonly PodEndpoint[]): PodEndpoint[][] {
  const groups = new Map<string, PodEndpoint[]>();
  for (const endpoint of endpoints) {
    const key = JSON.stringify(endpoint.ports);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [endpoint]);
    else group.push(endpoint);
  }
  return [...groups.values()];
}
