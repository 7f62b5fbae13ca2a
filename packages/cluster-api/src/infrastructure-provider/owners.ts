import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { Resource, Sources } from '@slipway/runtime';
import { clusters, type Machine, machines } from '../api/index.js';
import { clusterOf, type ObservedCluster } from '../reconcile/index.js';

type Owned = Pick<Frozen<KubeObject>, 'metadata'>;

/** Returns the Cluster that owns the object, if any. */
export function ownerClusterOf(sources: Sources, object: Owned): ObservedCluster | undefined {
  return ownerOf(sources, clusters, object);
}

export interface MachineOwners {
  /** Undefined until the Machine controller has set the owner reference. */
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
}

/** Returns the Machine that owns the infrastructure object, and the Cluster of both. */
export function machineOwnersOf(sources: Sources, object: Owned): MachineOwners {
  const machine = ownerOf(sources, machines, object);
  return { machine, cluster: clusterOf(sources, machine ?? { metadata: object.metadata }) };
}

/** Returns the name of the owner of this kind, in any API version. */
export function ownerNameOf(
  { group, kind }: Pick<Resource, 'group' | 'kind'>,
  { metadata }: Owned,
): string | undefined {
  return metadata.ownerReferences?.find(
    (owner) => owner.kind === kind && parseApiVersion(owner.apiVersion).group === group,
  )?.name;
}

/** Returns the owner of this kind, if it is in the cache. */
export function ownerOf<T extends KubeObject>(
  sources: Sources,
  resource: Resource<T>,
  object: Owned,
): Frozen<T> | undefined {
  const name = ownerNameOf(resource, object);
  if (name === undefined) return undefined;
  return sources.sourceFor(resource).get({ namespace: object.metadata.namespace ?? '', name });
}
