import { labels as clusterLabels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { Container, Pod, PodSpec } from '@slipway/runtime';
import { type KVMCluster, type MachineSize, machineSizeOf } from '../api/index.js';
import { machineLabels, nodeReadyGate } from './pod-names.js';
import { documentFile, launcherPaths, type PodSettings } from './pod-settings.js';
import { volumesOf } from './pod-volumes.js';
import type { VmDocument } from './vm-document.js';

const gracePeriodSecondsDefault = 90;
/** Time for the launcher to stop and then kill QEMU, in addition to the shutdown time of the guest. */
const launcherGraceSeconds = 30;
const hostTopology = 'kubernetes.io/hostname';
const ports = { api: 6443, kubelet: 10250 } as const;

/** Returns the pod of a machine. Its launcher is the first process and runs QEMU. Pure. */
export function podOf(
  document: VmDocument,
  namespace: string,
  kvmCluster: Frozen<KVMCluster>,
  settings: PodSettings,
): Pod {
  const { name, spec, isControlPlane } = document;
  const volumes = volumesOf(document, settings);
  const podSpec: PodSpec = {
    hostname: name.slice(0, 63),
    restartPolicy: 'Always',
    terminationGracePeriodSeconds:
      (spec.shutdown?.gracePeriodSeconds ?? gracePeriodSecondsDefault) + launcherGraceSeconds,
    dnsPolicy: 'ClusterFirst',
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    // Only workers have the gate: the API server that reports Nodes is itself behind the endpoints of the control plane pods.
    ...(!isControlPlane && { readinessGates: [{ conditionType: nodeReadyGate }] }),
    ...placementOf(document, kvmCluster.spec?.failureDomains),
    initContainers: [imageContainer(document, settings)],
    containers: [launcherContainer(document, machineSizeOf(spec), settings)],
    volumes: volumes.map(({ volume }) => volume),
  };
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: machineLabels(document) },
    spec: podSpec,
  };
}

/**
 * Returns the init container that downloads and verifies the image, creates missing disks and writes the seed. It runs before the
 * guest takes over the pod IP.
 */
function imageContainer(document: VmDocument, settings: PodSettings): Container {
  return {
    name: 'image-sync',
    image: settings.launcherImage,
    command: ['slipway', 'vmm', 'prepare'],
    args: launcherArguments(),
    securityContext: securityContextOf(settings),
    volumeMounts: volumesOf(document, settings).map(({ mount }) => mount),
  };
}

function securityContextOf({ devices }: PodSettings): object {
  return { ...(devices === undefined && { privileged: true }), capabilities: { add: ['NET_ADMIN'] } };
}

function launcherContainer(document: VmDocument, size: MachineSize, settings: PodSettings): Container {
  const { isControlPlane } = document;
  const guestPort = isControlPlane ? ports.api : ports.kubelet;
  const limits = limitsOf(document, size, settings);
  return {
    name: 'vmm',
    image: settings.launcherImage,
    command: ['slipway', 'vmm', 'run'],
    args: launcherArguments(),
    env: [{ name: 'POD_IP', valueFrom: { fieldRef: { fieldPath: 'status.podIP' } } }],
    ports: [{ name: isControlPlane ? 'api' : 'kubelet', containerPort: guestPort, protocol: 'TCP' }],
    resources: { limits, requests: limits },
    securityContext: securityContextOf(settings),
    // The probes are exec probes of the launcher, because the guest has the pod IP and would receive network probes.
    startupProbe: { ...ping(), periodSeconds: 5, failureThreshold: 120 },
    livenessProbe: { ...ping(), periodSeconds: 30, timeoutSeconds: 10, failureThreshold: 5 },
    readinessProbe: {
      exec: { command: ['slipway', 'vmm', 'guest-tcp', ...launcherArguments(), `--port=${guestPort}`] },
      periodSeconds: 10,
      timeoutSeconds: 5,
      failureThreshold: 3,
    },
    terminationMessagePolicy: 'File',
    volumeMounts: volumesOf(document, settings).map(({ mount }) => mount),
  };
}

const ping = (): object => ({ exec: { command: ['slipway', 'vmm', 'ping', ...launcherArguments()] } });

function launcherArguments(): string[] {
  return [
    `--spec=${launcherPaths.document}/${documentFile}`,
    `--bootstrap=${launcherPaths.bootstrap}`,
    `--disks=${launcherPaths.disks}`,
    `--etcd=${launcherPaths.etcd}`,
    `--volumes=${launcherPaths.hostVolumes}`,
    `--run=${launcherPaths.run}`,
  ];
}

const mebibyte = 1024 ** 2;

/**
 * Returns resource limits, which also are the requests, because throttling or killing a virtual machine breaks its Node. CPUs are
 * whole, because a quota below the number of virtual CPUs causes lockups in the guest.
 */
function limitsOf({ spec }: VmDocument, size: MachineSize, { devices }: PodSettings): Record<string, string> {
  return {
    cpu: String(size.cpus),
    memory: `${size.memoryMiB + Math.ceil(size.overheadBytes / mebibyte)}Mi`,
    ...(devices && { ...(spec.accelerator !== 'tcg' && { [devices.kvm]: '1' }), [devices.tun]: '1' }),
  };
}

/** Returns affinity rules: required anti-affinity for control plane machines, preferred anti-affinity for workers. */
function placementOf(
  document: VmDocument,
  failureDomains: NonNullable<Frozen<KVMCluster>['spec']>['failureDomains'],
): Pick<PodSpec, 'affinity' | 'nodeSelector' | 'tolerations' | 'nodeName'> {
  const { spec, failureDomain } = document;
  const domain = failureDomains?.find(({ name }) => name === failureDomain);
  const nodeSelector = {
    ...domain?.nodeSelector,
    ...spec.nodeSelector,
    ...(spec.hostName !== undefined && { [hostTopology]: spec.hostName }),
  };
  return {
    affinity: { podAntiAffinity: antiAffinityOf(document), ...nodeAffinityOf(domain?.hosts) },
    ...(Object.keys(nodeSelector).length > 0 && { nodeSelector }),
    ...(spec.tolerations && { tolerations: spec.tolerations.map((toleration) => ({ ...toleration })) }),
  };
}

function antiAffinityOf({ clusterName, isControlPlane }: VmDocument): object {
  const matchLabels = { [clusterLabels.clusterName]: clusterName };
  if (isControlPlane) {
    const labelSelector = { matchLabels: { ...matchLabels, [clusterLabels.controlPlane]: '' } };
    return { requiredDuringSchedulingIgnoredDuringExecution: [{ labelSelector, topologyKey: hostTopology }] };
  }
  const podAffinityTerm = { labelSelector: { matchLabels }, topologyKey: hostTopology };
  return { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm }] };
}

/** Returns node affinity for a failure domain that is a list of hosts. */
function nodeAffinityOf(hosts: readonly string[] | undefined): object {
  if (hosts === undefined || hosts.length === 0) return {};
  const matchExpressions = [{ key: hostTopology, operator: 'In', values: [...hosts] }];
  return {
    nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] } },
  };
}
