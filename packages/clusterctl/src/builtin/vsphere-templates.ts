import { kubeVipFiles } from './kube-vip.js';
import { supervisorTemplate } from './supervisor-templates.js';
import { indent, templateOf } from './template-lines.js';
import {
  supervisorClusterClass,
  supervisorTopology,
  vcenterClusterClass,
  vcenterTopology,
} from './vsphere-cluster-class.js';
import { type DriverManifests, driverResources } from './vsphere-drivers.js';
import {
  type BootstrapFormat,
  bootCommands,
  cloneFields,
  clusterObject,
  clusterReferences,
  loginUsers,
  machineFields,
  nodeRegistration,
  vcenterAccount,
} from './vsphere-parts.js';

/** What differs between the flavors of a cluster in a vCenter. */
interface Flavor {
  /** Who makes it answer: kube-vip on the control plane machines, a machine with HAProxy, or somebody else. */
  readonly endpoint: 'kube-vip' | 'haproxy' | 'external';
  readonly format: BootstrapFormat;
  /** Lines of the one network device. */
  readonly network: readonly string[];
  /** Machines are spread over every deployment zone of the vCenter. */
  readonly failureDomains?: boolean;
}

const dhcp = ['dhcp4: true'];
const fromPool = [
  'addressesFromPools:',
  '- apiGroup: "${NODE_IPAM_POOL_API_GROUP}"',
  '  kind: "${NODE_IPAM_POOL_KIND}"',
  '  name: "${NODE_IPAM_POOL_NAME}"',
  'nameservers:',
  '- "${NAMESERVER}"',
];

function clusterTemplate(flavor: Flavor, drivers: DriverManifests): string {
  return templateOf(
    clusterObject([], clusterReferences(group)),
    vsphereCluster(flavor),
    ...(flavor.endpoint === 'haproxy' ? [loadBalancer(flavor)] : []),
    machineTemplate('${CLUSTER_NAME}', flavor),
    machineTemplate('${CLUSTER_NAME}-worker', flavor),
    controlPlane(flavor),
    workers(flavor),
    vcenterAccount,
    ...driverResources(drivers),
  );
}

const group = 'infrastructure.cluster.x-k8s.io';

/** The address of a balancer of ours is known once its machine is there. */
const endpoint = (who: Flavor['endpoint']): string[] =>
  who === 'haproxy'
    ? []
    : [
        'controlPlaneEndpoint:',
        '  host: "${CONTROL_PLANE_ENDPOINT_IP}"',
        '  port: ${CONTROL_PLANE_ENDPOINT_PORT:=6443}',
      ];

const vsphereCluster = (flavor: Flavor): string => `
apiVersion: ${group}/v1beta2
kind: VSphereCluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
${indent(2, [
  ...endpoint(flavor.endpoint),
  ...(flavor.failureDomains === true ? ['failureDomainSelector: {}'] : []),
  'identityRef:',
  '  kind: Secret',
  '  name: "${CLUSTER_NAME}"',
  'server: "${VSPHERE_SERVER}"',
  'thumbprint: ${VSPHERE_TLS_THUMBPRINT}',
])}
`;

const loadBalancer = ({ network }: Flavor): string => `
apiVersion: ${group}/v1beta2
kind: HAProxyLoadBalancer
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
  labels:
    cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
spec:
  user:
    name: capv
    authorizedKeys:
    - "\${VSPHERE_SSH_AUTHORIZED_KEY}"
  virtualMachineConfiguration:
${indent(4, cloneFields(network, '${VSPHERE_HAPROXY_TEMPLATE}', 2048))}
    thumbprint: \${VSPHERE_TLS_THUMBPRINT}
`;

function machineTemplate(name: string, { network }: Flavor): string {
  return `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereMachineTemplate
metadata:
  name: "${name}"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
${indent(6, machineFields(network))}
      thumbprint: \${VSPHERE_TLS_THUMBPRINT}
`;
}

function controlPlane({ format, endpoint: who }: Flavor): string {
  const registration = nodeRegistration(format);
  const hasKubeVip = who === 'kube-vip';
  return `
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  replicas: \${CONTROL_PLANE_MACHINE_COUNT}
  version: "\${KUBERNETES_VERSION}"
  machineTemplate:
    spec:
      deletion:
        nodeDeletionTimeoutSeconds: 0
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: VSphereMachineTemplate
        name: "\${CLUSTER_NAME}"
  kubeadmConfigSpec:
    format: ${format}
    clusterConfiguration:
      controllerManager:
        extraArgs:
        - name: cloud-provider
          value: external
    initConfiguration:
${indent(6, registration)}
    joinConfiguration:
${indent(6, registration)}
${indent(4, [...(hasKubeVip ? kubeVipFiles() : []), ...bootCommands(format, hasKubeVip), ...loginUsers(format)])}
`;
}

function workers(flavor: Flavor): string {
  return `
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: "\${CLUSTER_NAME}-md-0"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      format: ${flavor.format}
      joinConfiguration:
${indent(8, nodeRegistration(flavor.format))}
${indent(6, bootCommands(flavor.format, false))}
${indent(6, loginUsers(flavor.format))}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: "\${CLUSTER_NAME}-md-0"
  namespace: "\${NAMESPACE}"
  labels:
    cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
spec:
  clusterName: "\${CLUSTER_NAME}"
  replicas: \${WORKER_MACHINE_COUNT}
  template:
    metadata:
      labels:
        cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
    spec:
      clusterName: "\${CLUSTER_NAME}"
      version: "\${KUBERNETES_VERSION}"
      deletion:
        nodeDeletionTimeoutSeconds: 0
      bootstrap:
        configRef:
          apiGroup: bootstrap.cluster.x-k8s.io
          kind: KubeadmConfigTemplate
          name: "\${CLUSTER_NAME}-md-0"
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: VSphereMachineTemplate
        name: "\${CLUSTER_NAME}-worker"
`;
}

const ours: Flavor = { endpoint: 'kube-vip', format: 'cloud-config', network: dhcp };

const vcenterFlavors: Readonly<Record<string, Flavor>> = {
  'cluster-template.yaml': ours,
  'cluster-template-external-loadbalancer.yaml': { ...ours, endpoint: 'external' },
  'cluster-template-failure-domains.yaml': { ...ours, failureDomains: true },
  'cluster-template-haproxy.yaml': { ...ours, endpoint: 'haproxy' },
  'cluster-template-ignition.yaml': { ...ours, format: 'ignition' },
  'cluster-template-node-ipam.yaml': { ...ours, network: fromPool },
};

/** The flavors of clusters on vSphere, with the variables that upstream's users know, once the drivers are known. */
export const vsphereTemplates: Readonly<Record<string, (drivers: DriverManifests) => string>> = {
  ...Object.fromEntries(
    Object.entries(vcenterFlavors).map(([file, flavor]) => [
      file,
      (drivers: DriverManifests) => clusterTemplate(flavor, drivers),
    ]),
  ),
  'cluster-template-topology.yaml': vcenterTopology,
  'clusterclass-template.yaml': () => vcenterClusterClass,
  'cluster-template-supervisor.yaml': () => supervisorTemplate,
  'cluster-template-topology-supervisor.yaml': () => supervisorTopology,
  'clusterclass-template-supervisor.yaml': () => supervisorClusterClass,
};
