import type { OwnerReference } from '@slipway/kube';
import { ownerReference, type Secret } from '@slipway/runtime';
import { secretTypes } from '../../api/index.js';
import type { ObservedCluster, ObservedObject } from '../topology-state.js';

/**
 * Returns a Secret that owns the infrastructure and the control plane until the Cluster does. If the Cluster never references
 * them, they are garbage-collected with the Secret. The Cluster cannot own them from the start, because their controllers would
 * then reconcile objects that may still be discarded.
 */
export function clusterShim(cluster: ObservedCluster): Secret {
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      name: shimName(cluster),
      namespace: cluster.metadata.namespace ?? '',
      ownerReferences: [ownerReference(cluster)],
    },
    type: secretTypes.cluster,
  };
}

export function shimName(cluster: ObservedCluster): string {
  return `${cluster.metadata.name ?? ''}-shim`;
}

/**
 * Returns the owner reference to the shim if the object still has it. An apply that omits the reference would remove it
 * too early.
 */
export function carriedShim(object: ObservedObject | undefined, cluster: ObservedCluster): OwnerReference | undefined {
  const found = object?.metadata.ownerReferences?.find(
    ({ kind, name }) => kind === 'Secret' && name === shimName(cluster),
  );
  return found === undefined ? undefined : { ...found };
}
