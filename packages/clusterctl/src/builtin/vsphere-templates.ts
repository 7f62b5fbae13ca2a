import { kubeVipFiles } from './kube-vip.js';
import { supervisorTemplates } from './supervisor-templates.js';

/** What differs between the flavors of a cluster in a vCenter. */
interface Flavor {
  /** kube-vip on the control plane machines; else somebody else makes the endpoint answer. */
  readonly kubeVip: boolean;
  readonly format: 'cloud-config' | 'ignition';
  /** Lines of the one network device. */
  readonly network: readonly string[];
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

function clusterTemplate(flavor: Flavor): string {
  return [
    cluster,
    vsphereCluster,
    machineTemplate('${CLUSTER_NAME}', flavor),
    machineTemplate('${CLUSTER_NAME}-worker', flavor),
    controlPlane(flavor),
    workers(flavor),
    credentials,
  ]
    .map((text) => text.trim())
    .join('\n---\n')
    .concat('\n');
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

const vsphereCluster = `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: VSphereCluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  controlPlaneEndpoint:
    host: "\${CONTROL_PLANE_ENDPOINT_IP}"
    port: \${CONTROL_PLANE_ENDPOINT_PORT:=6443}
  identityRef:
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
      cloneMode: linkedClone
      datacenter: "\${VSPHERE_DATACENTER}"
      datastore: \${VSPHERE_DATASTORE}
      diskGiB: 25
      folder: \${VSPHERE_FOLDER}
      memoryMiB: 8192
      network:
        devices:
        - networkName: "\${VSPHERE_NETWORK}"
${indent(10, network)}
      numCPUs: 2
      os: Linux
      powerOffMode: trySoft
      resourcePool: "\${VSPHERE_RESOURCE_POOL}"
      server: "\${VSPHERE_SERVER}"
      storagePolicyName: \${VSPHERE_STORAGE_POLICY}
      template: "\${VSPHERE_TEMPLATE}"
      thumbprint: \${VSPHERE_TLS_THUMBPRINT}
`;
}

function controlPlane(flavor: Flavor): string {
  const registration = nodeRegistration(flavor);
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
${indent(4, [...(flavor.kubeVip ? kubeVipFiles() : []), ...commands(flavor, flavor.kubeVip), ...users(flavor)])}
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
${indent(8, nodeRegistration(flavor))}
${indent(6, commands(flavor, false))}
${indent(6, users(flavor))}
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

const credentials = `
apiVersion: v1
kind: Secret
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
stringData:
  username: "\${VSPHERE_USERNAME}"
  password: "\${VSPHERE_PASSWORD}"
`;

/** Two dollars stay one: the name is known when the machine boots. */
function nodeRegistration({ format }: Flavor): string[] {
  const name = format === 'ignition' ? '$${COREOS_CUSTOM_HOSTNAME}' : '{{ local_hostname }}';
  return [
    'nodeRegistration:',
    '  criSocket: /var/run/containerd/containerd.sock',
    '  kubeletExtraArgs:',
    '  - name: cloud-provider',
    '    value: external',
    `  name: '${name}'`,
  ];
}

function commands({ format }: Flavor, kubeVip: boolean): string[] {
  const prepare = kubeVip
    ? [
        '- mkdir -p /etc/pre-kubeadm-commands',
        '- for script in $(find /etc/pre-kubeadm-commands/ -name \'*.sh\' -type f | sort); do echo "Running script $script"; "$script"; done',
      ]
    : [];
  if (format === 'ignition')
    return [
      'preKubeadmCommands:',
      '- envsubst < /etc/kubeadm.yml > /etc/kubeadm.yml.tmp',
      '- mv /etc/kubeadm.yml.tmp /etc/kubeadm.yml',
      ...prepare,
    ];
  return [
    'preKubeadmCommands:',
    '- hostnamectl set-hostname "{{ ds.meta_data.hostname }}"',
    '- echo "::1         ipv6-localhost ipv6-loopback localhost6 localhost6.localdomain6" >/etc/hosts',
    '- echo "127.0.0.1   {{ ds.meta_data.hostname }} {{ local_hostname }} localhost localhost.localdomain localhost4 localhost4.localdomain4" >>/etc/hosts',
    ...prepare,
  ];
}

function users({ format }: Flavor): string[] {
  return [
    'users:',
    `- name: ${format === 'ignition' ? 'core' : 'capv'}`,
    '  sshAuthorizedKeys:',
    '  - "${VSPHERE_SSH_AUTHORIZED_KEY}"',
    '  sudo: ALL=(ALL) NOPASSWD:ALL',
  ];
}

function indent(columns: number, lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(columns)}${line}`)).join('\n');
}

/** The flavors of clusters in a vCenter, with the variables that upstream's users know. */
export const vsphereTemplates: Readonly<Record<string, string>> = {
  'cluster-template.yaml': clusterTemplate({ kubeVip: true, format: 'cloud-config', network: dhcp }),
  'cluster-template-external-loadbalancer.yaml': clusterTemplate({
    kubeVip: false,
    format: 'cloud-config',
    network: dhcp,
  }),
  'cluster-template-ignition.yaml': clusterTemplate({ kubeVip: true, format: 'ignition', network: dhcp }),
  'cluster-template-node-ipam.yaml': clusterTemplate({ kubeVip: true, format: 'cloud-config', network: fromPool }),
  ...supervisorTemplates,
};
