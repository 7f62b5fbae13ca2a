import {
  atomicList,
  boolean,
  enumeration,
  int32,
  list,
  map,
  mapList,
  object,
  optional,
  string,
} from '@slipway/kube/kit';
import { contractReference, controlPlaneEndpoint } from '@slipway/cluster-api/schemas';
import { backend, ipAddresses, timeServers } from './shared.js';

const exposure = object(
  {
    type: optional(
      enumeration(['Service', 'Ingress', 'Gateway', 'HAProxy', 'KubeVip', 'External'], {
        description: 'How the API servers are reached. Absent: Service for pods, HAProxy for processes of this host.',
      }),
    ),
    baseDomain: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description: 'Ingress, Gateway: the name is <cluster>.k8s.<baseDomain>.',
      }),
    ),
    serviceType: optional(enumeration(['ClusterIP', 'NodePort', 'LoadBalancer'])),
    serviceAnnotations: optional(map(string())),
    exposeEtcd: optional(
      boolean({
        description: 'Service: also port 2379, for clusters that are being taken over from the operator before.',
      }),
    ),
    vip: optional(string({ minLength: 2, maxLength: 45, description: 'KubeVip: the address that moves.' })),
    interface: optional(string({ minLength: 1, maxLength: 15, description: 'KubeVip: the interface that holds it.' })),
    bindAddress: optional(
      string({ minLength: 2, maxLength: 45, description: 'HAProxy: the address of this host that it listens on.' }),
    ),
    ingressClassName: optional(string({ minLength: 1, maxLength: 253 })),
    gatewayRef: optional(
      object({
        name: string({ minLength: 1, maxLength: 253 }),
        namespace: optional(string({ minLength: 1, maxLength: 63 })),
        sectionName: optional(string({ minLength: 1, maxLength: 253 })),
      }),
    ),
  },
  { description: 'How the control plane is reached.', minProperties: 1 },
);

const network = object(
  {
    mode: optional(
      enumeration(['bridge', 'user', 'segment', 'podBridge'], {
        description: 'How machines are connected. Processes: segment (absent), user, bridge. Pods: podBridge (absent).',
      }),
    ),
    bridge: optional(string({ minLength: 1, maxLength: 15, description: 'The bridge of this host, for mode bridge.' })),
    cidr: optional(
      string({ minLength: 9, maxLength: 43, description: 'The network that machines have addresses in.' }),
    ),
    gateway: optional(string({ minLength: 2, maxLength: 45 })),
    ipRange: optional(
      string({
        minLength: 3,
        maxLength: 91,
        description: 'What machines get: 172.30.0.10-172.30.0.99, or a CIDR block.',
      }),
    ),
    ipPoolRef: optional(contractReference),
    mtu: optional(int32({ minimum: 576, maximum: 65535 })),
    dnsServers: optional(ipAddresses('Name servers of the machines.')),
    searchDomains: optional(atomicList(string({ minLength: 1, maxLength: 253 }), { maxItems: 32 })),
  },
  { description: 'The network of the machines.', minProperties: 1 },
);

const failureDomains = mapList(
  object({
    name: string({ minLength: 1, maxLength: 256 }),
    controlPlane: optional(boolean()),
    hosts: optional(list(string({ minLength: 1, maxLength: 253 }), { maxItems: 1000 })),
    nodeSelector: optional(map(string())),
  }),
  ['name'],
  { description: 'Where machines can be placed.', maxItems: 100 },
);

export const kvmClusterSpec = object(
  {
    controlPlaneEndpoint: optional(controlPlaneEndpoint),
    backend: optional(backend),
    controlPlaneExposure: optional(exposure),
    network: optional(network),
    ntpServers: optional(timeServers),
    dockerNetwork: optional(
      object(
        { cidr: optional(string({ minLength: 9, maxLength: 43 })) },
        { description: "The bridge of the machines' container runtime.", minProperties: 1 },
      ),
    ),
    failureDomains: optional(failureDomains),
    infraClusterSecretRef: optional(
      object(
        {
          name: string({ minLength: 1, maxLength: 253 }),
          namespace: optional(string({ minLength: 1, maxLength: 63 })),
        },
        { description: 'A Secret with the kubeconfig of the cluster that runs the pods, if it is not this one.' },
      ),
    ),
  },
  { description: 'What the infrastructure of the cluster should be.' },
);
