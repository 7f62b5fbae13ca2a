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
  refine,
  string,
} from '@slipway/kube/kit';
import { contractReference, controlPlaneEndpoint } from '@slipway/cluster-api/schemas';
import { backend, ipAddresses, timeServers } from './shared.js';

const gatewayReference = object(
  {
    name: string({ minLength: 1, maxLength: 253, description: 'Name of the Gateway.' }),
    namespace: optional(
      string({
        minLength: 1,
        maxLength: 63,
        description: 'Namespace of the Gateway. Defaults to the namespace of the KVMCluster.',
      }),
    ),
    sectionName: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description: 'Listener of the Gateway. If not set, the route attaches to every listener that accepts it.',
      }),
    ),
  },
  { description: 'Gateway that the TLSRoute of type Gateway attaches to. Required with type Gateway.' },
);

const exposure = object(
  {
    type: optional(
      enumeration(['Service', 'Ingress', 'Gateway', 'HAProxy', 'KubeVip', 'External'], {
        description:
          'How clients reach the API servers. Service, Ingress and Gateway create Kubernetes objects, HAProxy runs a load balancer process on the host, KubeVip and External use an endpoint that the user provides. Defaults to Service with backend pod and to HAProxy with backend local.',
      }),
    ),
    baseDomain: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description:
          'DNS domain of the endpoint for types Ingress and Gateway: the host becomes <cluster>.k8s.<baseDomain>. Required with these types unless controlPlaneEndpoint.host is set.',
      }),
    ),
    serviceType: optional(
      enumeration(['ClusterIP', 'NodePort', 'LoadBalancer'], {
        description:
          'Type of the Service in front of the API servers, for types Service, Ingress and Gateway. Defaults to ClusterIP.',
      }),
    ),
    serviceAnnotations: optional(
      map(string(), {
        description:
          'Annotations of the Service, and with type Ingress also of the Ingress. They override the defaults.',
      }),
    ),
    exposeEtcd: optional(
      boolean({
        description:
          'Whether the Service also exposes etcd on port 2379. Use it only to migrate clusters of the legacy operator. Defaults to false.',
      }),
    ),
    vip: optional(
      string({
        minLength: 2,
        maxLength: 45,
        description:
          'Virtual IP address that kube-vip moves between control plane machines. Required with type KubeVip unless controlPlaneEndpoint.host is set. It is never allocated to a machine.',
      }),
    ),
    interface: optional(
      string({
        minLength: 1,
        maxLength: 15,
        description:
          'Network interface of the guest that holds the virtual IP address, for the kube-vip manifest of a cluster template. The controller does not use it.',
      }),
    ),
    bindAddress: optional(
      string({
        minLength: 2,
        maxLength: 45,
        description:
          'IP address of the host that HAProxy listens on. Defaults to the first external IPv4 address of the host. A change reconfigures HAProxy.',
      }),
    ),
    ingressClassName: optional(
      string({
        minLength: 1,
        maxLength: 253,
        description: 'IngressClass of the Ingress. If not set, the default IngressClass of the cluster applies.',
      }),
    ),
    gatewayRef: optional(gatewayReference),
  },
  {
    description:
      'How clients reach the control plane. A change updates the created objects, but not an endpoint that is already set.',
    minProperties: 1,
  },
);

const network = object(
  {
    mode: optional(
      enumeration(['bridge', 'user', 'segment', 'podBridge'], {
        description:
          'How virtual machines are connected. Backend local: segment (default; a closed network of the cluster, and NAT to the outside), bridge (a bridge of the host, needs root) or user (NAT only, for a single machine). Backend pod: podBridge (default; the guest takes over the pod IP) or user. Cannot be changed once set.',
      }),
    ),
    bridge: optional(
      string({
        minLength: 1,
        maxLength: 15,
        description: 'Bridge interface of the host that machines are attached to. Required with mode bridge.',
      }),
    ),
    cidr: optional(
      string({
        minLength: 9,
        maxLength: 43,
        description:
          'Network of the machines in CIDR notation. Defaults to 172.30.0.0/24 with mode segment. Cannot be changed once set.',
      }),
    ),
    gateway: optional(
      string({
        minLength: 2,
        maxLength: 45,
        description: 'IP address of the default gateway of the machines, inside cidr. Used with mode bridge.',
      }),
    ),
    ipRange: optional(
      string({
        minLength: 3,
        maxLength: 91,
        description:
          'Addresses to allocate to machines, as a range such as 172.30.0.10-172.30.0.99 or a CIDR block inside cidr. Defaults to all of cidr.',
      }),
    ),
    ipPoolRef: optional(
      refine(contractReference, {
        description:
          'IP pool in the same namespace that machines claim their addresses from. If not set, the controller creates a pool from cidr and ipRange.',
      }),
    ),
    mtu: optional(
      int32({
        minimum: 576,
        maximum: 65535,
        description:
          'Maximum transmission unit of the network interface of new machines, in bytes. Defaults to 1500 with mode segment, otherwise to the default of the operating system.',
      }),
    ),
    dnsServers: optional(
      ipAddresses(
        'IP addresses of the DNS servers of the machines. A KVMMachine can override them. Read when a virtual machine is created.',
      ),
    ),
    searchDomains: optional(
      atomicList(string({ minLength: 1, maxLength: 253 }), {
        maxItems: 32,
        description: 'DNS search domains of the machines. Read when a virtual machine is created.',
      }),
    ),
  },
  { description: 'Network of the machines. Changes apply to new machines only.', minProperties: 1 },
);

const failureDomain = object({
  name: string({
    minLength: 1,
    maxLength: 256,
    description: 'Name of the failure domain, as Machines refer to it in spec.failureDomain.',
  }),
  controlPlane: optional(
    boolean({ description: 'Whether control plane machines may be placed in this failure domain. Defaults to false.' }),
  ),
  hosts: optional(
    list(string({ minLength: 1, maxLength: 253 }), {
      maxItems: 1000,
      description:
        'Kubernetes nodes, by their kubernetes.io/hostname label, that pods of this failure domain may run on. Used with backend pod.',
    }),
  ),
  nodeSelector: optional(
    map(string(), {
      description: 'Labels of the Kubernetes nodes that pods of this failure domain may run on. Used with backend pod.',
    }),
  ),
});

const failureDomains = mapList(failureDomain, ['name'], {
  description:
    'Failure domains that machines can be placed in. They are published in status.failureDomains. A change does not move existing machines.',
  maxItems: 100,
});

const infraClusterSecret = object(
  {
    name: string({ minLength: 1, maxLength: 253, description: 'Name of the Secret.' }),
    namespace: optional(
      string({
        minLength: 1,
        maxLength: 63,
        description: 'Namespace of the Secret. Defaults to the namespace of the KVMCluster.',
      }),
    ),
  },
  {
    description:
      'Secret with the kubeconfig of the cluster that runs the pods, under the key value or kubeconfig. If not set, pods run in the management cluster. Used with backend pod.',
  },
);

export const kvmClusterSpec = object(
  {
    controlPlaneEndpoint: optional(
      refine(controlPlaneEndpoint, {
        description:
          'Endpoint of the API servers. The controller sets absent fields, depending on controlPlaneExposure. Host and port cannot be changed once set, because they are part of certificates and kubeconfigs.',
      }),
    ),
    backend: optional(
      refine(backend, {
        description:
          'Backend of the machines of this cluster: local for QEMU processes of the host that the manager runs on, pod for pods of a Kubernetes cluster. The controller sets the default of the manager if it is absent. Cannot be changed once set.',
      }),
    ),
    controlPlaneExposure: optional(exposure),
    network: optional(network),
    ntpServers: optional(timeServers),
    dockerNetwork: optional(
      object(
        {
          cidr: optional(
            string({
              minLength: 9,
              maxLength: 43,
              description: 'Network of the bridge in CIDR notation. Defaults to what the container runtime chooses.',
            }),
          ),
        },
        {
          description:
            'Bridge network of the container runtime in the machines. Read when a virtual machine is created.',
          minProperties: 1,
        },
      ),
    ),
    failureDomains: optional(failureDomains),
    infraClusterSecretRef: optional(infraClusterSecret),
  },
  { description: 'Desired state of the infrastructure that the machines of a cluster share.' },
);
