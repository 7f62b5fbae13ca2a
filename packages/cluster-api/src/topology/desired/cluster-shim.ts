import type { OwnerReference } from '@slipway/kube';
import { ownerReference, type Secret } from '@slipway/runtime';
import { secretTypes } from '../../api/index.js';
import type { ObservedCluster, ObservedObject } from '../topology-state.js';

/**
 * A Secret that owns the infrastructure and the control plane until the Cluster does. Should the Cluster never come to refer
 * to them, they are collected with it instead of being left behind; and they cannot be owned by the Cluster at once, since
 * their controllers would then begin to work on what may be left behind.
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

/** The reference to the shim that an object still has; applying without it would take it away too early. */
export function carriedShim(object: ObservedObject | undefined, cluster: ObservedCluster): OwnerReference | undefined {
  const found = object?.metadata.ownerReferences?.find(
    ({ kind, name }) => kind === 'Secret' && name === shimName(cluster),
  );
  return found === undefined ? undefined : { ...found };
}
