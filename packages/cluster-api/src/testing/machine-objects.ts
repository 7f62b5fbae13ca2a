import type { Machine, MachineSet } from '../api/index.js';
import { labels } from '../api/index.js';

type Conditions = NonNullable<NonNullable<Machine['status']>['conditions']>;

export interface MachineOptions {
  readonly created?: string;
  readonly deleted?: string;
  readonly annotations?: Record<string, string>;
  readonly labels?: Record<string, string>;
  /** `{ Ready: 'True', OwnerRemediated: ['False', 'WaitingForRemediation', 'message'] }`. */
  readonly conditions?: Readonly<Record<string, ConditionText>>;
  readonly transition?: string;
  readonly node?: string | null;
  readonly version?: string;
}

type ConditionStatus = 'True' | 'False' | 'Unknown';
type ConditionText = ConditionStatus | readonly [status: ConditionStatus, reason: string, message?: string];

export function conditionsOf(
  texts: MachineOptions['conditions'] = {},
  transition = '2025-01-01T00:00:00Z',
): Conditions {
  return Object.entries(texts).map(([type, text]) => {
    const [status, reason, message = ''] = typeof text === 'string' ? [text, 'Reason'] : text;
    return { type, status, reason, message, lastTransitionTime: transition };
  });
}

/** A worker Machine of cluster `c`, with a Node of its name by default. */
export function machineFixture(name: string, options: MachineOptions = {}): Machine {
  const { created = '2025-01-01T00:00:00Z', deleted, annotations = {}, node = name, version = 'v1.35.0' } = options;
  const deletion = deleted === undefined ? {} : { deletionTimestamp: deleted };
  const own = { [labels.clusterName]: 'c', ...options.labels };
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      creationTimestamp: created,
      annotations,
      labels: own,
      ...deletion,
    },
    spec: {
      clusterName: 'c',
      version,
      bootstrap: { dataSecretName: name },
      infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachine', name },
    },
    status: {
      conditions: conditionsOf(options.conditions, options.transition),
      ...(node === null ? {} : { nodeRef: { name: node } }),
    },
  };
}

/** A MachineSet `ms` of cluster `c`. */
export function machineSetFixture(replicas: number, change: (set: MachineSet) => void = () => {}): MachineSet {
  const selected = { [labels.clusterName]: 'c', [labels.setName]: 'ms' };
  const set: MachineSet = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'MachineSet',
    metadata: { name: 'ms', namespace: 'default', uid: 'ms-uid', generation: 1 },
    spec: {
      clusterName: 'c',
      replicas,
      selector: { matchLabels: { ...selected } },
      template: {
        metadata: { labels: { ...selected } },
        spec: {
          clusterName: 'c',
          version: 'v1.35.0',
          bootstrap: {
            configRef: { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfigTemplate', name: 'b' },
          },
          infrastructureRef: { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'DevMachineTemplate', name: 'i' },
        },
      },
    },
  };
  change(set);
  return set;
}
