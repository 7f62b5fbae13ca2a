import { createHash } from 'node:crypto';
import { formatTime, type KubeObject } from '@slipway/kube';
import type { Placed } from '../simulated-objects.js';

export interface SimulatedNode {
  readonly name: string;
  readonly providerId: string;
  readonly version: string;
  readonly isControlPlane: boolean;
  readonly address: string;
  readonly failureDomain?: string;
}

export const nodeResource = 'nodes';
const controlPlaneRole = 'node-role.kubernetes.io/control-plane';

/** Returns a Node as a healthy kubelet registers it. */
export function nodeObject(node: SimulatedNode, nowMs: number): Placed {
  const time = formatTime(nowMs);
  const taints = node.isControlPlane ? [{ key: controlPlaneRole, effect: 'NoSchedule' }] : [];
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {
      name: node.name,
      labels: labelsOf(node),
      annotations: {
        'kubeadm.alpha.kubernetes.io/cri-socket': 'unix:///var/run/containerd/containerd.sock',
        'volumes.kubernetes.io/controller-managed-attach-detach': 'true',
      },
    },
    spec: { providerID: node.providerId, ...(taints.length === 0 ? {} : { taints }) },
    status: {
      addresses: [
        { type: 'InternalIP', address: node.address },
        { type: 'Hostname', address: node.name },
      ],
      allocatable: { ...nodeCapacity },
      capacity: { ...nodeCapacity },
      conditions: conditionsAt(time),
      daemonEndpoints: { kubeletEndpoint: { Port: 10_250 } },
      nodeInfo: nodeInfo(node),
    },
  };
  return { resource: nodeResource, object };
}

/** The capacity that every simulated machine reports. */
export const nodeCapacity = { cpu: '4', 'ephemeral-storage': '100Gi', memory: '16Gi', pods: '110' };

function labelsOf(node: SimulatedNode): Record<string, string> {
  return {
    'beta.kubernetes.io/arch': 'amd64',
    'beta.kubernetes.io/os': 'linux',
    'kubernetes.io/arch': 'amd64',
    'kubernetes.io/hostname': node.name,
    'kubernetes.io/os': 'linux',
    ...(node.isControlPlane
      ? { [controlPlaneRole]: '', 'node.kubernetes.io/exclude-from-external-load-balancers': '' }
      : {}),
    ...(node.failureDomain === undefined ? {} : { 'topology.kubernetes.io/zone': node.failureDomain }),
  };
}

const healthy = [
  ['MemoryPressure', 'False', 'KubeletHasSufficientMemory', 'kubelet has sufficient memory available'],
  ['DiskPressure', 'False', 'KubeletHasNoDiskPressure', 'kubelet has no disk pressure'],
  ['PIDPressure', 'False', 'KubeletHasSufficientPID', 'kubelet has sufficient PID available'],
  ['Ready', 'True', 'KubeletReady', 'kubelet is posting ready status'],
] as const;

function conditionsAt(time: string): object[] {
  return healthy.map(([type, status, reason, message]) => ({
    type,
    status,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
    reason,
    message,
  }));
}

function nodeInfo({ name, version, providerId }: SimulatedNode): object {
  // Derived from the names, so that a machine has the same identity after a restart.
  const id = createHash('sha256').update(providerId).update(name).digest('hex').slice(0, 32);
  return {
    architecture: 'amd64',
    bootID: id,
    containerRuntimeVersion: 'containerd://2.1.4',
    kernelVersion: '6.12.0',
    kubeProxyVersion: '',
    kubeletVersion: version,
    machineID: id,
    operatingSystem: 'linux',
    osImage: 'Slipway in memory',
    systemUUID: id,
  };
}

const unreachableTaint = 'node.kubernetes.io/unreachable';

/** Sets the conditions that the node lifecycle controller sets when the kubelet stops posting its status. */
export function markNodeUnknown(node: object, nowMs: number): void {
  const { conditions = [] } = ((node as { status?: unknown }).status ?? {}) as {
    conditions?: Record<string, string>[];
  };
  const { spec = {} } = node as { spec?: { taints?: readonly { readonly key: string }[] } };
  const taints = (['NoSchedule', 'NoExecute'] as const).map((effect) => ({
    key: unreachableTaint,
    effect,
    timeAdded: formatTime(nowMs),
  }));
  Object.assign(node, {
    spec: { ...spec, taints: [...(spec.taints ?? []).filter(({ key }) => key !== unreachableTaint), ...taints] },
  });
  for (const condition of conditions)
    Object.assign(condition, {
      status: 'Unknown',
      lastTransitionTime: formatTime(nowMs),
      reason: 'NodeStatusUnknown',
      message: 'Kubelet stopped posting node status.',
    });
}
