import type { Machine } from '@slipway/cluster-api';
import type { NewCondition, Node } from '@slipway/runtime';
import type { KubeadmConfig } from '../api/index.js';
import type { EtcdMember } from '../etcd/index.js';
import {
  type ControlPlaneHealth,
  type ControlPlaneObservation,
  controlPlaneHealth,
  type EtcdObservation,
  type PodObservation,
} from '../workload/index.js';

const now = Date.parse('2026-01-01T01:00:00Z');
export const role = 'node-role.kubernetes.io/control-plane';
const components = ['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'etcd'];

/** A Node as kubeadm configures it on a control plane machine. */
export function node(name: string, change: (node: Node) => void = () => undefined): Node {
  const made: Node = {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { [role]: '' }, creationTimestamp: '2026-01-01T00:00:00Z' },
    spec: { taints: [{ key: role, effect: 'NoSchedule' }] },
    status: { conditions: [{ type: 'Ready', status: 'True' }] },
  };
  change(made);
  return made;
}

const ready: PodObservation = {
  pod: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {},
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
  },
};

export function member(name: string, change: Partial<EtcdMember> = {}): EtcdMember {
  return { id: '1', name, isLearner: false, alarms: [], ...change };
}

export function etcdOf(...members: readonly EtcdMember[]): EtcdObservation {
  return { state: { members, leader: members[0]?.name } };
}

/** An observation in which the given Nodes are healthy. */
export function observed(
  nodes: readonly Node[],
  change: Partial<ControlPlaneObservation> = {},
): ControlPlaneObservation {
  const names = nodes.map(({ metadata }) => metadata.name ?? '');
  return {
    nodes: new Map(nodes.map((each) => [each.metadata.name ?? '', each])),
    labelledNodes: names,
    pods: new Map(names.flatMap((name) => components.map((component) => [`${component}-${name}`, ready]))),
    etcd: etcdOf(...names.map((name) => member(name))),
    ...change,
  };
}

/** The input of the health computation. */
export interface Given {
  readonly machines: readonly Machine[];
  readonly observation: ControlPlaneObservation;
  readonly configs?: Readonly<Record<string, KubeadmConfig>>;
  readonly isEtcdManaged?: boolean;
}

export function healthOf({ machines, observation, configs = {}, isEtcdManaged = true }: Given): ControlPlaneHealth {
  const kubeadmConfigs = new Map(Object.entries(configs));
  return controlPlaneHealth({ machines, observation, kubeadmConfigs, isEtcdManaged, nowMs: now });
}

/** `True Running`, `False Failed: message`, or `absent`. */
export function formatCondition(conditions: readonly NewCondition[] | undefined, type: string): string {
  const found = conditions?.find((condition) => condition.type === type);
  if (found === undefined) return 'absent';
  return `${found.status} ${found.reason}${found.message === '' ? '' : `: ${found.message}`}`;
}
