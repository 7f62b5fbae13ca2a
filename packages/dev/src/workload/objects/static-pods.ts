import { createHash } from 'node:crypto';
import { formatTime, type KubeObject } from '@slipway/kube';
import type { Placed } from '../simulated-objects.js';

export type StaticPod = 'etcd' | 'kube-apiserver' | 'kube-controller-manager' | 'kube-scheduler';

export const podResource = 'pods';
export const systemNamespace = 'kube-system';

export interface StaticPodOptions {
  readonly component: StaticPod;
  readonly node: { readonly name: string; readonly uid: string; readonly address: string };
  readonly image: string;
  readonly annotations?: Readonly<Record<string, string>>;
}

export function staticPodName(component: StaticPod, node: string): string {
  return `${component}-${node}`;
}

/** Returns the mirror Pod of a static Pod, as the kubelet of a control plane machine creates it. */
export function staticPod(options: StaticPodOptions, nowMs: number): Placed {
  const { component, node, image } = options;
  const name = staticPodName(component, node.name);
  const hash = createHash('md5').update(name).update(image).digest('hex');
  const time = formatTime(nowMs);
  const object: KubeObject = {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace: systemNamespace,
      labels: { component, tier: 'control-plane' },
      annotations: {
        'kubernetes.io/config.hash': hash,
        'kubernetes.io/config.mirror': hash,
        'kubernetes.io/config.source': 'file',
        ...options.annotations,
      },
      ownerReferences: [{ apiVersion: 'v1', kind: 'Node', name: node.name, uid: node.uid, controller: true }],
    },
    spec: specOf(options),
    status: statusOf(options, time),
  };
  return { resource: podResource, object };
}

function specOf({ component, node, image }: StaticPodOptions): object {
  return {
    containers: [
      {
        command: [component],
        image,
        imagePullPolicy: 'IfNotPresent',
        name: component,
        resources: {},
        terminationMessagePath: '/dev/termination-log',
        terminationMessagePolicy: 'File',
      },
    ],
    dnsPolicy: 'ClusterFirst',
    enableServiceLinks: true,
    hostNetwork: true,
    nodeName: node.name,
    preemptionPolicy: 'PreemptLowerPriority',
    priority: 2_000_001_000,
    priorityClassName: 'system-node-critical',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: { seccompProfile: { type: 'RuntimeDefault' } },
    terminationGracePeriodSeconds: 30,
    tolerations: [{ effect: 'NoExecute', operator: 'Exists' }],
  };
}

const podConditions = ['PodReadyToStartContainers', 'Initialized', 'Ready', 'ContainersReady', 'PodScheduled'] as const;

function statusOf({ component, node, image }: StaticPodOptions, time: string): object {
  return {
    phase: 'Running',
    conditions: podConditions.map((type) => ({
      type,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: time,
    })),
    containerStatuses: [
      {
        name: component,
        image,
        imageID: image,
        ready: true,
        restartCount: 0,
        started: true,
        state: { running: { startedAt: time } },
        lastState: {},
      },
    ],
    hostIP: node.address,
    hostIPs: [{ ip: node.address }],
    podIP: node.address,
    podIPs: [{ ip: node.address }],
    qosClass: 'BestEffort',
    startTime: time,
  };
}
