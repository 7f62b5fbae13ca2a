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
  loginUsers,
  machineFields,
  nodeRegistration,
  vcenterAccount,
} from './vsphere-parts.js';

/** What differs between the flavors of a cluster in a vCenter. */
interface Flavor {
  /** kube-vip on the control plane machines; else somebody else makes the endpoint answer. */
  readonly kubeVip: boolean;
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
    cluster,
    vsphereCluster(flavor),
    machineTemplate('${CLUSTER_NAME}', flavor),
    machineTemplate('${CLUSTER_NAME}-worker', flavor),
    controlPlane(flavor),
    workers(flavor),
    vcenterAccount,
    ...driverResources(drivers),
  );
}

const cluster = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
  labels:
    cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["192.168.0.0/16"]
  controlPlaneRef:
    apiGroup: controlplane.cluster.x-k8s.io
    kind: KubeadmControlPlane
    name: "\${CLUSTER_NAME}"
  infrastructureRef:
    apiGroup: infrastructure.cluster.x-k8s.io
    kind: VSphereCluster
    name: "\${CLUSTER_NAME}"
`;

const vsphereCluster = ({ failureDomains = false }: Flavor): string => `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereCluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  controlPlaneEndpoint:
    host: "\${CONTROL_PLANE_ENDPOINT_IP}"
    port: \${CONTROL_PLANE_ENDPOINT_PORT:=6443}
${failureDomains ? '  failureDomainSelector: {}\n' : ''}  identityRef:
    kind: Secret
    name: "\${CLUSTER_NAME}"
  server: "\${VSPHERE_SERVER}"
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

function controlPlane(flavor: Flavor): string {
  const registration = nodeRegistration(flavor.format);
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
    format: ${flavor.format}
    clusterConfiguration:
      controllerManager:
        extraArgs:
        - name: cloud-provider
          value: external
    initConfiguration:
${indent(6, registration)}
    joinConfiguration:
${indent(6, registration)}
${indent(4, [...(flavor.kubeVip ? kubeVipFiles() : []), ...bootCommands(flavor.format, flavor.kubeVip), ...loginUsers(flavor.format)])}
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

const ours: Flavor = { kubeVip: true, format: 'cloud-config', network: dhcp };

const vcenterFlavors: Readonly<Record<string, Flavor>> = {
  'cluster-template.yaml': ours,
  'cluster-template-external-loadbalancer.yaml': { ...ours, kubeVip: false },
  'cluster-template-failure-domains.yaml': { ...ours, failureDomains: true },
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
