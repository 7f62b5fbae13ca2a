import type { Frozen } from '@slipway/kube';
import type { Index, ObjectKey, Sources } from '@slipway/runtime';
import {
  type GlobalInClusterIPPool,
  globalInClusterIpPools,
  type InClusterIPPool,
  inClusterIpPools,
  type IPAddress,
  type IPAddressClaim,
} from '../api/index.js';

export type ObservedPool = Frozen<InClusterIPPool> | Frozen<GlobalInClusterIPPool>;

interface PoolReference {
  readonly apiGroup: string;
  readonly kind: string;
  readonly name: string;
}

/** Returns the index key of a pool: `kind/namespace/name`. A global pool has no namespace. */
export function poolId(kind: string, { namespace, name }: ObjectKey): string {
  return `${kind}/${kind === globalInClusterIpPools.kind ? '' : namespace}/${name}`;
}

/** Returns the index key of the referenced pool. Undefined for pools of other IPAM providers. */
export function referencedPoolId(reference: PoolReference, namespace: string | undefined): string | undefined {
  if (reference.apiGroup !== inClusterIpPools.group) return undefined;
  if (reference.kind !== inClusterIpPools.kind && reference.kind !== globalInClusterIpPools.kind) return undefined;
  return poolId(reference.kind, { namespace: namespace ?? '', name: reference.name });
}

export function findPool(sources: Sources, reference: PoolReference, namespace: string): ObservedPool | undefined {
  const { kind, name } = reference;
  if (kind === globalInClusterIpPools.kind)
    return sources.sourceFor(globalInClusterIpPools).get({ namespace: '', name });
  return sources.sourceFor(inClusterIpPools).get({ namespace, name });
}

/** Indexes addresses by pool. */
export const addressPoolIndex: Index<IPAddress> = {
  name: 'pool',
  valuesOf: ({ metadata, spec }) => {
    const id = referencedPoolId(spec.poolRef, metadata.namespace);
    return id === undefined ? [] : [id];
  },
};

/** Indexes claims without an address by their pool. Such claims wait for a change of the pool. */
export const waitingClaimIndex: Index<IPAddressClaim> = {
  name: 'waiting for pool',
  valuesOf: ({ metadata, spec, status }) => {
    const id = status?.addressRef === undefined ? referencedPoolId(spec.poolRef, metadata.namespace) : undefined;
    return id === undefined ? [] : [id];
  },
};

/** Indexes claims by Cluster: `namespace/name`. */
export const claimClusterIndex: Index<IPAddressClaim> = {
  name: 'cluster of claim',
  valuesOf: ({ metadata, spec }) => {
    const name = spec.clusterName ?? metadata.labels?.['cluster.x-k8s.io/cluster-name'];
    return name === undefined ? [] : [`${metadata.namespace ?? ''}/${name}`];
  },
};
