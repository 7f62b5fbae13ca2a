import type { KubeObject } from '@slipway/kube';
import { csiDriverName, csiNamespace, csiNodeDaemonSet } from '../api/index.js';
import type { CsiImages } from './csi-images.js';

const featureStates = ['--fss-name=internal-feature-states.csi.vsphere.vmware.com', '--fss-namespace=$(CSI_NAMESPACE)'];
const env = (endpoint: string): object[] => [
  { name: 'NODE_NAME', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
  { name: 'CSI_ENDPOINT', value: endpoint },
  { name: 'X_CSI_MODE', value: 'node' },
  { name: 'X_CSI_SPEC_REQ_VALIDATION', value: 'false' },
  { name: 'X_CSI_SPEC_DISABLE_LEN_CHECK', value: 'true' },
  { name: 'LOGGER_LEVEL', value: 'PRODUCTION' },
  { name: 'CSI_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
  { name: 'NODEGETINFO_WATCH_TIMEOUT_MINUTES', value: '1' },
];
const probe = {
  httpGet: { path: '/healthz', port: 'healthz' },
  initialDelaySeconds: 10,
  timeoutSeconds: 5,
  periodSeconds: 5,
  failureThreshold: 3,
};
const healthPort = { containerPort: 9808, name: 'healthz', protocol: 'TCP' };

function daemonSet(name: string, spec: object): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name, namespace: csiNamespace },
    spec: {
      selector: { matchLabels: { app: name } },
      // Nodes are updated one at a time: a node without its driver cannot attach volumes.
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1 } },
      template: { metadata: { labels: { app: name, role: 'vsphere-csi' } }, spec },
    },
  };
}

const directory = (name: string, path: string, type = 'Directory'): object => ({ name, hostPath: { path, type } });

const plugin = `/var/lib/kubelet/plugins/${csiDriverName}`;
const socketDir = { name: 'plugin-dir', mountPath: '/csi' };

function linuxRegistrar(images: CsiImages): object {
  return {
    name: 'node-driver-registrar',
    image: images.registrar,
    args: ['--v=5', '--csi-address=$(ADDRESS)', '--kubelet-registration-path=$(DRIVER_REG_SOCK_PATH)'],
    env: [
      { name: 'ADDRESS', value: '/csi/csi.sock' },
      { name: 'DRIVER_REG_SOCK_PATH', value: `${plugin}/csi.sock` },
    ],
    livenessProbe: {
      exec: {
        command: [
          '/csi-node-driver-registrar',
          `--kubelet-registration-path=${plugin}/csi.sock`,
          '--mode=kubelet-registration-probe',
        ],
      },
      initialDelaySeconds: 3,
    },
    volumeMounts: [socketDir, { name: 'registration-dir', mountPath: '/registration' }],
  };
}

function linuxDriver(images: CsiImages): object {
  return {
    name: csiNodeDaemonSet,
    image: images.driver,
    args: featureStates,
    imagePullPolicy: 'Always',
    env: env('unix:///csi/csi.sock'),
    securityContext: { privileged: true, capabilities: { add: ['SYS_ADMIN'] }, allowPrivilegeEscalation: true },
    ports: [healthPort],
    livenessProbe: probe,
    volumeMounts: [
      socketDir,
      { name: 'pods-mount-dir', mountPath: '/var/lib/kubelet', mountPropagation: 'Bidirectional' },
      { name: 'device-dir', mountPath: '/dev' },
      { name: 'blocks-dir', mountPath: '/sys/block' },
      { name: 'sys-devices-dir', mountPath: '/sys/devices' },
    ],
  };
}

/** The node DaemonSet of the storage driver on Linux. */
export function csiLinuxNode(images: CsiImages): KubeObject {
  const liveness = {
    name: 'liveness-probe',
    image: images.livenessProbe,
    args: ['--v=4', '--csi-address=/csi/csi.sock'],
    volumeMounts: [socketDir],
  };
  return daemonSet(csiNodeDaemonSet, {
    containers: [linuxRegistrar(images), linuxDriver(images), liveness],
    dnsPolicy: 'ClusterFirstWithHostNet',
    hostNetwork: true,
    nodeSelector: { 'kubernetes.io/os': 'linux' },
    priorityClassName: 'system-node-critical',
    serviceAccountName: 'vsphere-csi-node',
    tolerations: [
      { effect: 'NoExecute', operator: 'Exists' },
      { effect: 'NoSchedule', operator: 'Exists' },
    ],
    volumes: [
      directory('registration-dir', '/var/lib/kubelet/plugins_registry'),
      directory('plugin-dir', plugin, 'DirectoryOrCreate'),
      directory('pods-mount-dir', '/var/lib/kubelet'),
      directory('device-dir', '/dev', ''),
      directory('blocks-dir', '/sys/block'),
      directory('sys-devices-dir', '/sys/devices'),
    ],
  });
}

/** The node DaemonSet of the storage driver on Windows. Its host paths are never rewritten. */
export function csiWindowsNode(images: CsiImages): KubeObject {
  const windowsPlugin = `C:\\var\\lib\\kubelet\\plugins\\${csiDriverName}`;
  const socket = { name: 'plugin-dir', mountPath: 'C:\\csi' };
  const registrar = {
    name: 'node-driver-registrar',
    image: images.registrar,
    args: ['--v=5', '--csi-address=$(ADDRESS)', '--kubelet-registration-path=$(DRIVER_REG_SOCK_PATH)'],
    env: [
      { name: 'ADDRESS', value: 'unix://C:\\csi\\csi.sock' },
      { name: 'DRIVER_REG_SOCK_PATH', value: `${windowsPlugin}\\csi.sock` },
    ],
    volumeMounts: [socket, { name: 'registration-dir', mountPath: 'C:\\registration' }],
  };
  const driver = {
    name: csiNodeDaemonSet,
    image: images.driver,
    args: featureStates,
    imagePullPolicy: 'Always',
    env: env('unix://C:\\csi\\csi.sock'),
    ports: [healthPort],
    livenessProbe: probe,
    volumeMounts: [socket, { name: 'pods-mount-dir', mountPath: 'C:\\var\\lib\\kubelet' }],
  };
  const liveness = {
    name: 'liveness-probe',
    image: images.livenessProbe,
    args: ['--v=4', '--csi-address=unix://C:\\csi\\csi.sock'],
    volumeMounts: [socket],
  };
  return daemonSet('vsphere-csi-node-windows', {
    containers: [registrar, driver, liveness],
    nodeSelector: { 'kubernetes.io/os': 'windows' },
    priorityClassName: 'system-node-critical',
    serviceAccountName: 'vsphere-csi-node',
    tolerations: [
      { effect: 'NoExecute', operator: 'Exists' },
      { effect: 'NoSchedule', operator: 'Exists' },
    ],
    volumes: [
      directory('registration-dir', 'C:\\var\\lib\\kubelet\\plugins_registry\\'),
      directory('plugin-dir', `${windowsPlugin}\\`, 'DirectoryOrCreate'),
      directory('pods-mount-dir', '\\var\\lib\\kubelet'),
    ],
  });
}
