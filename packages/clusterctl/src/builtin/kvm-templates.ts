import { kubeVipFiles } from './kube-vip.js';
import { kvmClusterClass, kvmTopologyTemplate } from './kvm-cluster-class.js';
import { kvmAddOns, kvmArtifacts } from './kvm-artifacts.js';

/** What differs between the flavors of a cluster of QEMU machines. */
interface Flavor {
  readonly comment: string;
  readonly backend: string;
  /** Lines of `controlPlaneExposure`. */
  readonly exposure: readonly string[];
  /** Lines before it: an endpoint that the user knows. */
  readonly endpoint?: readonly string[];
  readonly kubeVip?: boolean;
  readonly format?: 'cloud-config' | 'ignition';
  readonly addOns?: string;
  /** Lines of `image`. */
  readonly image?: readonly string[];
}

const anyExposure = [
  'type: ${CONTROL_PLANE_EXPOSURE:=Service}',
  'serviceType: ${CONTROL_PLANE_SERVICE_TYPE:=ClusterIP}',
  'baseDomain: "${BASE_DOMAIN:=example.com}"',
];
const anyImage = ['url: "${KVM_IMAGE_URL}"', 'checksum: "${KVM_IMAGE_CHECKSUM}"'];
const anyBackend = '${KVM_BACKEND:=pod}';

function clusterTemplate(flavor: Flavor): string {
  const parts = [
    `# ${flavor.comment}\n${cluster.trim()}`,
    kvmCluster(flavor),
    machineTemplate(flavor, '${CLUSTER_NAME}-control-plane', 'CONTROL_PLANE_', '10'),
    machineTemplate(flavor, '${CLUSTER_NAME}-worker', '', '20'),
    controlPlane(flavor),
    workers(flavor),
    healthCheck,
    ...(flavor.addOns === undefined ? [] : [flavor.addOns]),
  ];
  return parts
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
spec:
  clusterNetwork:
    pods:
      cidrBlocks: ["\${POD_IP_RANGE:=172.24.0.0/16}"]
    services:
      cidrBlocks: ["\${SERVICE_IP_RANGE:=172.31.0.0/16}"]
  controlPlaneRef:
    apiGroup: controlplane.cluster.x-k8s.io
    kind: KubeadmControlPlane
    name: "\${CLUSTER_NAME}"
  infrastructureRef:
    apiGroup: infrastructure.cluster.x-k8s.io
    kind: KVMCluster
    name: "\${CLUSTER_NAME}"
`;

function kvmCluster({ backend, exposure, endpoint = [] }: Flavor): string {
  return `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: KVMCluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  backend: ${backend}
${indent(2, endpoint)}
  controlPlaneExposure:
${indent(4, exposure)}
  network:
    dnsServers: \${DNS_SERVERS:=[]}
  ntpServers: \${NTP_SERVERS:=[]}
  dockerNetwork:
    cidr: "\${DOCKER_NETWORK_CIDR:=172.17.0.0/16}"
`.replaceAll('\n\n', '\n');
}

/** The variables of workers have no prefix, those of the control plane do. */
function machineTemplate({ image = anyImage }: Flavor, name: string, prefix: string, kubeletGigabytes: string): string {
  const machines = prefix === '' ? 'WORKER_' : prefix;
  return `
apiVersion: infrastructure.cluster.x-k8s.io/v1beta2
kind: KVMMachineTemplate
metadata:
  name: "${name}"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      resources:
        cpu: "\${${machines}MACHINE_CPUS:=4}"
        memory: "\${${machines}MACHINE_MEMORY:=8Gi}"
        disk: "\${${prefix}VOLUME_SIZE_GB:=40}Gi"
        dockerVolumeSize: "\${${prefix}DOCKER_VOLUME_SIZE_GB:=40}Gi"
        kubeletVolumeSize: "\${${prefix}KUBELET_VOLUME_SIZE_GB:=${kubeletGigabytes}}Gi"
      image:
${indent(8, image)}
`;
}

function controlPlane(flavor: Flavor): string {
  const { format = 'cloud-config', kubeVip = false } = flavor;
  const registration = nodeRegistration(flavor);
  const [init, join] = advertised(flavor);
  const vip = { address: '${CONTROL_PLANE_ENDPOINT_HOST}', interface: '${VIP_NETWORK_INTERFACE:=""}' };
  return `
apiVersion: controlplane.cluster.x-k8s.io/v1beta2
kind: KubeadmControlPlane
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
spec:
  replicas: \${CONTROL_PLANE_MACHINE_COUNT:=3}
  version: "\${KUBERNETES_VERSION}"
  machineTemplate:
    spec:
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: KVMMachineTemplate
        name: "\${CLUSTER_NAME}-control-plane"
  kubeadmConfigSpec:
    format: ${format}
    clusterConfiguration:
      apiServer:
        certSANs:
        - "\${CLUSTER_NAME}.k8s.\${BASE_DOMAIN:=example.com}"
        - "control-plane.\${NAMESPACE}.svc"
    initConfiguration:
${indent(6, [...init, ...registration])}
    joinConfiguration:
${indent(6, [...join, ...registration])}
${indent(4, [...(kubeVip ? kubeVipFiles(vip) : []), ...commands(format, kubeVip), ...users(format)])}
`;
}

function workers(flavor: Flavor): string {
  const { format = 'cloud-config' } = flavor;
  return `
apiVersion: bootstrap.cluster.x-k8s.io/v1beta2
kind: KubeadmConfigTemplate
metadata:
  name: "\${CLUSTER_NAME}-worker"
  namespace: "\${NAMESPACE}"
spec:
  template:
    spec:
      format: ${format}
      joinConfiguration:
${indent(8, nodeRegistration(flavor))}
${indent(6, [...commands(format, false), ...users(format)])}
---
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineDeployment
metadata:
  name: "\${CLUSTER_NAME}-worker"
  namespace: "\${NAMESPACE}"
spec:
  clusterName: "\${CLUSTER_NAME}"
  replicas: \${WORKER_MACHINE_COUNT:=3}
  selector:
    matchLabels: {}
  template:
    spec:
      clusterName: "\${CLUSTER_NAME}"
      version: "\${KUBERNETES_VERSION}"
      bootstrap:
        configRef:
          apiGroup: bootstrap.cluster.x-k8s.io
          kind: KubeadmConfigTemplate
          name: "\${CLUSTER_NAME}-worker"
      infrastructureRef:
        apiGroup: infrastructure.cluster.x-k8s.io
        kind: KVMMachineTemplate
        name: "\${CLUSTER_NAME}-worker"
`;
}

/** A pod that lost its disks does not come back: its Machine is replaced. */
const healthCheck = `
apiVersion: cluster.x-k8s.io/v1beta2
kind: MachineHealthCheck
metadata:
  name: "\${CLUSTER_NAME}-worker"
  namespace: "\${NAMESPACE}"
spec:
  clusterName: "\${CLUSTER_NAME}"
  selector:
    matchLabels:
      cluster.x-k8s.io/deployment-name: "\${CLUSTER_NAME}-worker"
  checks:
    nodeStartupTimeoutSeconds: 1200
    unhealthyNodeConditions:
    - type: Ready
      status: Unknown
      timeoutSeconds: 300
    - type: Ready
      status: "False"
      timeoutSeconds: 300
`;

/** The identity of the machine is the instance of cloud-init and the UUID of its firmware. Two dollars stay one. */
function nodeRegistration({ format, backend }: Flavor): string[] {
  const isIgnition = format === 'ignition';
  return [
    'nodeRegistration:',
    `  name: '${isIgnition ? '$${NODE_NAME}' : '{{ ds.meta_data.local_hostname }}'}'`,
    '  kubeletExtraArgs:',
    '  - name: provider-id',
    `    value: 'kvm://${isIgnition ? '$${MACHINE_UUID}' : '{{ ds.meta_data.instance_id }}'}'`,
    ...(backend === 'local' ? ['  - name: node-ip', `    value: '${ownAddress}'`] : []),
  ];
}

const ownAddress = '{{ ds.meta_data.local_ipv4 }}';

/** Processes of a host have two interfaces, and the default route is at the one whose address all of them share. */
function advertised({ backend }: Flavor): [init: string[], join: string[]] {
  if (backend !== 'local') return [[], []];
  const endpoint = ['localAPIEndpoint:', `  advertiseAddress: '${ownAddress}'`];
  return [endpoint, ['controlPlane:', ...endpoint.map((line) => `  ${line}`)]];
}

function commands(format: string, kubeVip: boolean): string[] {
  const prepare = kubeVip ? ['- /etc/pre-kubeadm-commands/50-kube-vip-prepare.sh'] : [];
  const lines =
    format === 'ignition'
      ? [
          '- export NODE_NAME="$(hostname)" MACHINE_UUID="$(cat /sys/class/dmi/id/product_uuid)"',
          '- envsubst < /etc/kubeadm.yml > /etc/kubeadm.yml.tmp',
          '- mv /etc/kubeadm.yml.tmp /etc/kubeadm.yml',
          ...prepare,
        ]
      : prepare;
  return lines.length === 0 ? [] : ['preKubeadmCommands:', ...lines];
}

function users(format: string): string[] {
  return [
    'users:',
    `- name: ${format === 'ignition' ? 'core' : 'kvm'}`,
    '  sshAuthorizedKeys:',
    '  - "${SSH_AUTHORIZED_KEY}"',
    '  sudo: ALL=(ALL) NOPASSWD:ALL',
  ];
}

function indent(columns: number, lines: readonly string[]): string {
  return lines.map((line) => (line === '' ? '' : `${' '.repeat(columns)}${line}`)).join('\n');
}

const base: Flavor = {
  comment: 'A cluster of QEMU machines, which are pods of this management cluster.',
  backend: anyBackend,
  exposure: anyExposure,
};

/** The flavors of clusters of QEMU machines, with the variables and defaults of the provider's design. */
export const kvmTemplates: Readonly<Record<string, string>> = {
  'cluster-template.yaml': clusterTemplate(base),
  'cluster-template-local.yaml': clusterTemplate({
    comment: 'A cluster of QEMU machines, which are processes of the host that Slipway runs on.',
    backend: 'local',
    exposure: ['type: HAProxy'],
    // Made on that host by `slipway image build`.
    image: ['name: "${KVM_IMAGE_NAME:=debian}"'],
  }),
  'cluster-template-flatcar.yaml': clusterTemplate({
    ...base,
    comment: 'A cluster of QEMU machines with Flatcar, which take Ignition. Needs KubeadmBootstrapFormatIgnition.',
    format: 'ignition',
  }),
  'cluster-template-kube-vip.yaml': clusterTemplate({
    comment: 'A cluster of QEMU machines that hold the address of their endpoint among themselves.',
    backend: '${KVM_BACKEND:=local}',
    endpoint: [
      'controlPlaneEndpoint:',
      '  host: "${CONTROL_PLANE_ENDPOINT_HOST}"',
      '  port: ${CONTROL_PLANE_ENDPOINT_PORT:=6443}',
    ],
    exposure: ['type: KubeVip', 'vip: "${CONTROL_PLANE_ENDPOINT_HOST}"'],
    kubeVip: true,
  }),
  'cluster-template-apps.yaml': clusterTemplate({
    ...base,
    comment: 'A cluster of QEMU machines whose Calico is an App. Needs the kinds of application.giantswarm.io.',
    addOns: kvmAddOns,
  }),
  'cluster-template-clusterclass.yaml': kvmTopologyTemplate,
  'clusterclass-kvm.yaml': kvmClusterClass,
  ...kvmArtifacts,
};
