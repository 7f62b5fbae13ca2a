import type { KubeObject } from '@slipway/kube';
import { csiDeployment, csiNamespace } from '../api/index.js';
import type { CsiImages } from './csi-images.js';
import { controlPlaneAffinity, controlPlaneTolerations, uninitializedToleration } from './objects.js';

const labels = { app: csiDeployment, role: 'vsphere-csi' };
const socketMount = { name: 'socket-dir', mountPath: '/csi' };
const configMount = { name: 'vsphere-config-volume', mountPath: '/etc/cloud', readOnly: true };
const address = { name: 'ADDRESS', value: '/csi/csi.sock' };
const featureStates = ['--fss-name=internal-feature-states.csi.vsphere.vmware.com', '--fss-namespace=$(CSI_NAMESPACE)'];
const namespaceOfPod = { name: 'CSI_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } };
const shared = [
  { name: 'VSPHERE_CSI_CONFIG', value: '/etc/cloud/csi-vsphere.conf' },
  { name: 'LOGGER_LEVEL', value: 'PRODUCTION' },
  { name: 'INCLUSTER_CLIENT_QPS', value: '100' },
  { name: 'INCLUSTER_CLIENT_BURST', value: '100' },
  namespaceOfPod,
];
const common = ['--v=4', '--timeout=300s', '--csi-address=$(ADDRESS)', '--leader-election'];
const paced = ['--kube-api-qps=100', '--kube-api-burst=100'];

function sidecar(name: string, image: string, ...args: readonly string[]): object {
  return { name, image, args: [...common, ...args], env: [address], volumeMounts: [socketMount] };
}

function driverContainer(images: CsiImages): object {
  return {
    name: 'vsphere-csi-controller',
    image: images.driver,
    args: featureStates,
    imagePullPolicy: 'Always',
    env: [
      { name: 'CSI_ENDPOINT', value: 'unix:///csi/csi.sock' },
      { name: 'X_CSI_MODE', value: 'controller' },
      { name: 'X_CSI_SPEC_DISABLE_LEN_CHECK', value: 'true' },
      { name: 'X_CSI_SERIAL_VOL_ACCESS_TIMEOUT', value: '3m' },
      ...shared,
    ],
    ports: [
      { containerPort: 2112, name: 'prometheus', protocol: 'TCP' },
      { containerPort: 9808, name: 'healthz', protocol: 'TCP' },
    ],
    livenessProbe: {
      httpGet: { path: '/healthz', port: 'healthz' },
      initialDelaySeconds: 30,
      timeoutSeconds: 10,
      periodSeconds: 180,
      failureThreshold: 3,
    },
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, runAsGroup: 65_532 },
    volumeMounts: [configMount, socketMount],
  };
}

function syncerContainer(images: CsiImages): object {
  return {
    name: 'vsphere-syncer',
    image: images.syncer,
    args: ['--leader-election', '--leader-election-lease-duration=30s', ...featureStates],
    imagePullPolicy: 'Always',
    env: [{ name: 'FULL_SYNC_INTERVAL_MINUTES', value: '30' }, ...shared],
    ports: [{ containerPort: 2113, name: 'prometheus', protocol: 'TCP' }],
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, runAsGroup: 65_532 },
    volumeMounts: [configMount],
  };
}

function livenessContainer(images: CsiImages): object {
  return {
    name: 'liveness-probe',
    image: images.livenessProbe,
    args: ['--v=4', '--csi-address=$(ADDRESS)'],
    env: [address],
    volumeMounts: [socketMount],
  };
}

/** The controller of the storage driver. */
export function csiController(images: CsiImages): KubeObject {
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: csiDeployment, namespace: csiNamespace },
    spec: {
      replicas: 3,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      selector: { matchLabels: { app: csiDeployment } },
      template: {
        metadata: { labels },
        spec: {
          affinity: {
            ...controlPlaneAffinity,
            podAntiAffinity: {
              requiredDuringSchedulingIgnoredDuringExecution: [
                {
                  labelSelector: { matchExpressions: [{ key: 'app', operator: 'In', values: [csiDeployment] }] },
                  topologyKey: 'kubernetes.io/hostname',
                },
              ],
            },
          },
          containers: [
            sidecar('csi-attacher', images.attacher, ...paced),
            sidecar('csi-resizer', images.resizer, '--handle-volume-inuse-error=false', ...paced),
            driverContainer(images),
            livenessContainer(images),
            syncerContainer(images),
            sidecar('csi-provisioner', images.provisioner, '--default-fstype=ext4', ...paced),
            sidecar('csi-snapshotter', images.snapshotter, '--extra-create-metadata', ...paced),
          ],
          dnsPolicy: 'Default',
          priorityClassName: 'system-cluster-critical',
          serviceAccountName: 'vsphere-csi-controller',
          tolerations: [uninitializedToleration, ...controlPlaneTolerations],
          volumes: [
            { name: 'vsphere-config-volume', secret: { secretName: 'vsphere-config-secret' } },
            { name: 'socket-dir', emptyDir: {} },
          ],
        },
      },
    },
  };
}
