import { type Cluster, labels } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { ConfigMap } from '@slipway/runtime';

/** What to do about the init lock. Only the control plane Machine that the lock names runs `kubeadm init`. */
export type InitLockDecision =
  | { readonly action: 'acquired' }
  /** Create `lock`. A Machine that gets AlreadyExists does not hold the lock and retries later. */
  | { readonly action: 'create'; readonly lock: ConfigMap }
  /** The holder no longer exists: delete the lock and retry. */
  | { readonly action: 'release'; readonly holder: string }
  | { readonly action: 'wait'; readonly message: string };

export interface InitLockState {
  readonly cluster: Frozen<Pick<Cluster, 'metadata'>>;
  readonly machineName: string;
  /** The current lock. Undefined if there is none. */
  readonly lock: Frozen<ConfigMap> | undefined;
  /** Whether the Machine that holds the lock still exists. Used only if another Machine holds it. */
  readonly holderExists: boolean;
}

/** The retry interval of machines that did not get the lock. */
export const initLockRetryMs = 30_000;

const informationKey = 'lock-information';

export function initLockName(clusterName: string): string {
  return `${clusterName}-lock`;
}

export function planInitLock(state: InitLockState): InitLockDecision {
  if (state.lock === undefined) return { action: 'create', lock: initLock(state.cluster, state.machineName) };
  const holder = initLockHolder(state.lock);
  if (holder === undefined)
    return {
      action: 'wait',
      message: `ConfigMap ${state.lock.metadata.name ?? ''} does not name the Machine that holds the init lock; delete it to let another Machine initialize`,
    };
  if (holder === state.machineName) return { action: 'acquired' };
  if (!state.holderExists) return { action: 'release', holder };
  return { action: 'wait', message: `Waiting for Machine ${holder} to initialize` };
}

/** Returns the Machine that a lock names. Undefined if the lock cannot be parsed. */
export function initLockHolder(lock: Frozen<ConfigMap>): string | undefined {
  try {
    const information = JSON.parse(lock.data?.[informationKey] ?? '') as { readonly machineName?: unknown } | null;
    const name = information?.machineName;
    return typeof name === 'string' && name !== '' ? name : undefined;
  } catch {
    return undefined;
  }
}

function initLock(cluster: InitLockState['cluster'], machineName: string): ConfigMap {
  const { name = '', namespace = '', uid = '' } = cluster.metadata;
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name: initLockName(name),
      namespace,
      labels: { [labels.clusterName]: name },
      ownerReferences: [{ apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', name, uid }],
    },
    data: { [informationKey]: JSON.stringify({ machineName }) },
  };
}
