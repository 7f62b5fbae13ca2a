import { isIPv6 } from 'node:net';
import type { Frozen, KubeObject } from '@slipway/kube';
import { labels as clusterLabels } from '@slipway/cluster-api';
import { type Service, type ServicePort } from '@slipway/runtime';
import type { EndpointMember, EndpointRequest } from '../cluster/endpoint-service.js';
import type { EndpointSlice, Ingress, TlsRoute } from './resources.js';

const apiPort = 6443;
const etcdPort = 2379;
const httpsPort = 443;
const managedBy = 'capk';

export interface EndpointNames {
  readonly service: string;
  readonly namespace: string;
  readonly clusterName: string;
  /** Name of the KVMCluster, which may differ from the name of the Cluster. */
  readonly kvmCluster: string;
}

/** Label with the name of the KVMCluster that an object was created for. */
export const kvmClusterLabel = 'infrastructure.cluster.x-k8s.io/kvm-cluster';

/**
 * Returns the name of the Service, among others: `control-plane` in a namespace that is named after the cluster, else
 * `<cluster>-control-plane`, because several clusters may share the namespace.
 */
export function endpointNames({ metadata }: Pick<Frozen<KubeObject>, 'metadata'>, clusterName: string): EndpointNames {
  const { namespace = '', name: kvmCluster = '' } = metadata;
  const service = namespace === clusterName ? 'control-plane' : `${clusterName}-control-plane`;
  return { service, namespace, clusterName, kvmCluster };
}

type Exposure = EndpointRequest['exposure'];

/**
 * Returns the Service of the endpoint. It has a selector if the machines are pods. Otherwise this provider writes its
 * EndpointSlice.
 */
export function serviceOf(names: EndpointNames, exposure: Exposure, port: number, selectsPods: boolean): Service {
  const ports: ServicePort[] = [{ name: 'api', protocol: 'TCP', port, targetPort: apiPort }];
  if (exposure.exposeEtcd === true) ports.push({ name: 'etcd', protocol: 'TCP', port: etcdPort, targetPort: etcdPort });
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: {
      ...metaOf(names, names.service),
      ...(exposure.serviceAnnotations && { annotations: { ...exposure.serviceAnnotations } }),
    },
    spec: {
      type: exposure.serviceType ?? 'ClusterIP',
      ports,
      ...(selectsPods && {
        selector: { [clusterLabels.clusterName]: names.clusterName, [clusterLabels.controlPlane]: '' },
      }),
    },
  };
}

/** Returns the EndpointSlice for machines that are not pods. Port names must match those of the Service. */
export function endpointSliceOf(names: EndpointNames, members: readonly EndpointMember[]): EndpointSlice {
  const [first] = members;
  const isSixth = first !== undefined && isIPv6(first.host);
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: {
      ...metaOf(names, `${names.service}-${managedBy}`),
      labels: {
        ...labelsOf(names),
        'kubernetes.io/service-name': names.service,
        'endpointslice.kubernetes.io/managed-by': managedBy,
      },
    },
    addressType: isSixth ? 'IPv6' : 'IPv4',
    // All members of a cluster use the same ports.
    ports: [{ name: 'api', port: first?.port ?? apiPort, protocol: 'TCP' }],
    endpoints: members
      .filter(({ host }) => isIPv6(host) === isSixth)
      .map(({ host, isLeaving }) => ({
        addresses: [host],
        conditions: { ready: !isLeaving, serving: true, terminating: isLeaving },
      })),
  };
}

/** Returns the external DNS name of the API server: `<cluster>.k8s.<base domain>`. */
export function publicNameOf(clusterName: string, baseDomain: string): string {
  return `${clusterName}.k8s.${baseDomain}`;
}

/** Returns an Ingress that passes TLS through, because clients authenticate to the API server by certificates. */
export function ingressOf(names: EndpointNames, exposure: Exposure, host: string, port: number): Ingress {
  const { ingressClassName, serviceAnnotations } = exposure;
  const path = { path: '/', pathType: 'Prefix', backend: { service: { name: names.service, port: { number: port } } } };
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'Ingress',
    metadata: {
      ...metaOf(names, names.service),
      annotations: {
        'nginx.ingress.kubernetes.io/ssl-passthrough': 'true',
        'nginx.ingress.kubernetes.io/backend-protocol': 'HTTPS',
        ...serviceAnnotations,
      },
    },
    spec: {
      ...(ingressClassName !== undefined && { ingressClassName }),
      tls: [{ hosts: [host] }],
      rules: [{ host, http: { paths: [path] } }],
    },
  };
}

/** Returns the TLSRoute of the endpoint without an apiVersion: the used fields are the same in every version of Gateway API. */
export function tlsRouteOf(
  names: EndpointNames,
  exposure: Exposure,
  host: string,
  port: number,
): Omit<TlsRoute, 'apiVersion'> {
  const { gatewayRef } = exposure;
  return {
    kind: 'TLSRoute',
    metadata: metaOf(names, names.service),
    spec: {
      parentRefs: gatewayRef === undefined ? [] : [{ ...gatewayRef }],
      hostnames: [host],
      rules: [{ backendRefs: [{ name: names.service, port }] }],
    },
  };
}

export const endpointPorts = { api: apiPort, https: httpsPort } as const;

function metaOf(names: EndpointNames, name: string): Service['metadata'] {
  return { name, namespace: names.namespace, labels: labelsOf(names) };
}

function labelsOf({ clusterName, kvmCluster }: EndpointNames): Record<string, string> {
  return {
    [clusterLabels.clusterName]: clusterName,
    [kvmClusterLabel]: kvmCluster,
    'app.kubernetes.io/managed-by': managedBy,
  };
}
