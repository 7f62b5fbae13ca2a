import { indent } from './template-lines.js';

export type BootstrapFormat = 'cloud-config' | 'ignition';

/** A Cluster: the lines of its network beside pods, and those of its spec. */
export const clusterObject = (network: readonly string[], spec: readonly string[]): string => `
apiVersion: cluster.x-k8s.io/v1beta2
kind: Cluster
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
  labels:
    cluster.x-k8s.io/cluster-name: "\${CLUSTER_NAME}"
spec:
  clusterNetwork:
${indent(4, ['pods:', '  cidrBlocks: ["192.168.0.0/16"]', ...network])}
${indent(2, spec)}
`;

/** The spec of a Cluster that names its parts itself. */
export const clusterReferences = (infrastructureGroup: string): string[] => [
  'controlPlaneRef:',
  '  apiGroup: controlplane.cluster.x-k8s.io',
  '  kind: KubeadmControlPlane',
  '  name: "${CLUSTER_NAME}"',
  'infrastructureRef:',
  `  apiGroup: ${infrastructureGroup}`,
  '  kind: VSphereCluster',
  '  name: "${CLUSTER_NAME}"',
];

/** Clusters of a Supervisor have to say their services as well. */
export const supervisorNetwork: readonly string[] = ['services:', '  cidrBlocks: ["10.96.0.0/12"]'];

/** What is cloned in a vCenter, and where; `network` has the lines of its one device. */
export function cloneFields(network: readonly string[], template: string, memoryMiB: number): string[] {
  return [
    'cloneMode: linkedClone',
    'datacenter: "${VSPHERE_DATACENTER}"',
    // Without quotes: what is empty is not there, and vCenter's default holds.
    'datastore: ${VSPHERE_DATASTORE}',
    'diskGiB: 25',
    'folder: ${VSPHERE_FOLDER}',
    `memoryMiB: ${memoryMiB}`,
    'network:',
    '  devices:',
    '  - networkName: "${VSPHERE_NETWORK}"',
    ...network.map((line) => `    ${line}`),
    'numCPUs: 2',
    'os: Linux',
    'resourcePool: "${VSPHERE_RESOURCE_POOL}"',
    'server: "${VSPHERE_SERVER}"',
    'storagePolicyName: ${VSPHERE_STORAGE_POLICY}',
    `template: "${template}"`,
  ];
}

/** Fields of machines in a vCenter. */
export function machineFields(network: readonly string[]): string[] {
  return [...cloneFields(network, '${VSPHERE_TEMPLATE}', 8192), 'powerOffMode: trySoft'];
}

/** Fields of machines of a Supervisor. */
export const supervisorMachine: readonly string[] = [
  'className: "${VSPHERE_MACHINE_CLASS_NAME}"',
  'imageName: "${VSPHERE_IMAGE_NAME}"',
  'storageClass: "${VSPHERE_STORAGE_CLASS}"',
  'powerOffMode: "${VSPHERE_POWER_OFF_MODE:=trySoft}"',
];

/** Two dollars stay one: the name is known when the machine boots. */
export function nodeRegistration(format: BootstrapFormat): string[] {
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

export function bootCommands(format: BootstrapFormat, kubeVip: boolean): string[] {
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

export function loginUsers(format: BootstrapFormat): string[] {
  return [
    'users:',
    `- name: ${format === 'ignition' ? 'core' : 'capv'}`,
    '  sshAuthorizedKeys:',
    '  - "${VSPHERE_SSH_AUTHORIZED_KEY}"',
    '  sudo: ALL=(ALL) NOPASSWD:ALL',
  ];
}

/** As blocks, in which quotes and backslashes are signs like others: `DOMAIN\user` is a name of a user. */
export const vcenterAccount = `
apiVersion: v1
kind: Secret
metadata:
  name: "\${CLUSTER_NAME}"
  namespace: "\${NAMESPACE}"
stringData:
  username: |-
    \${VSPHERE_USERNAME}
  password: |-
    \${VSPHERE_PASSWORD}
`;
