import type { Frozen, KubeObject } from '@slipway/kube';
import { isDeleting, ownerReference, setV1beta1Condition } from '@slipway/runtime';
import { clusters } from '../api/index.js';
import {
  claimReference,
  failureOf,
  noteFailure,
  type ObjectReference,
  providerReadyV1beta1,
  type ProviderState,
} from '../contract/index.js';
import { changeCluster, changeV1beta1, type ClusterScope, statusOf } from './cluster-scope.js';

/** Reads an object of a provider that the Cluster refers to, and makes it one of the Cluster's. */
export async function readProviderObject(scope: ClusterScope, reference: ObjectReference): Promise<ProviderState> {
  const { cluster, key, settings } = scope;
  const state = await claimReference(scope.context, {
    reference,
    namespace: key.namespace,
    resource: clusters,
    map: settings.mapProviderObject,
    // Only a topology controls what it made; objects that somebody else made may have a controller of their own.
    owner: ownerReference(cluster, { controller: cluster.spec.topology !== undefined }),
    clusterName: key.name,
  });
  const failure = state.type === 'found' ? failureOf(state.object) : undefined;
  if (failure !== undefined) changeCluster(scope, (draft) => noteFailure(statusOf(draft), failure));
  return state;
}

/** The deprecated condition of a part, as the part tells it itself or else as its flag does. */
export function mirrorReady(
  scope: ClusterScope,
  type: 'InfrastructureReady' | 'ControlPlaneReady',
  object: Frozen<KubeObject>,
  flag: boolean,
  waitingReason: string,
): void {
  const ready = providerReadyV1beta1(object);
  const deleting = isDeleting(scope.cluster);
  const reason = deleting ? 'Deleting' : waitingReason;
  const fallback =
    flag && !deleting ? ({ status: 'True' } as const) : ({ status: 'False', severity: 'Info', reason } as const);
  const { lastTransitionTime: _time, ...told } = ready ?? { ...fallback, lastTransitionTime: '' };
  changeV1beta1(scope, (target) => setV1beta1Condition(target, { ...told, type }, scope.nowMs));
}
