import type { OwnerReference } from '@slipway/kube';
import { ownerReference, type Secret } from '@slipway/runtime';
import { secretTypes } from '../../api/index.js';
import type { ObservedCluster, ObservedObject } from '../topology-state.js';

/**
 * A Secret that owns the infrastructure and the control plane until the Cluster does. If the Cluster never references them,
 * they are garbage-collected with it. They cannot be owned by the Cluster at once, because their controllers would then start
 * to reconcile objects that may be discarded.
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

/** The reference to the shim that an object still has. An apply without it would remove it too early. */
export function carriedShim(object: ObservedObject | undefined, cluster: ObservedCluster): OwnerReference | undefined {
  const found = object?.metadata.ownerReferences?.find(
    ({ kind, name }) => kind === 'Secret' && name === shimName(cluster),
  );
  return found === undefined ? undefined : { ...found };
}
