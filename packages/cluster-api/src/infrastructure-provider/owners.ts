import { type Frozen, type KubeObject, parseApiVersion } from '@slipway/kube';
import type { Resource, Sources } from '@slipway/runtime';
import { clusters, type Machine, machines } from '../api/index.js';
import { clusterOf, type ObservedCluster } from '../reconcile/index.js';

type Owned = Pick<Frozen<KubeObject>, 'metadata'>;

/** The Cluster that has taken the object over, if one has. */
export function ownerClusterOf(sources: Sources, object: Owned): ObservedCluster | undefined {
  return ownerOf(sources, clusters, object);
}

export interface MachineOwners {
  /** Undefined until the Machine controller has taken the object over. */
  readonly machine: Frozen<Machine> | undefined;
  readonly cluster: ObservedCluster | undefined;
}

/** The Machine that the object is the infrastructure of, and the Cluster of both. */
export function machineOwnersOf(sources: Sources, object: Owned): MachineOwners {
  const machine = ownerOf(sources, machines, object);
  return { machine, cluster: clusterOf(sources, machine ?? { metadata: object.metadata }) };
}

/** The name of the owner of this kind, in whatever version it wrote itself down. */
export function ownerNameOf(
  { group, kind }: Pick<Resource, 'group' | 'kind'>,
  { metadata }: Owned,
): string | undefined {
  return metadata.ownerReferences?.find(
    (owner) => owner.kind === kind && parseApiVersion(owner.apiVersion).group === group,
  )?.name;
}

/** The owner of this kind, if the cache knows it. */
export function ownerOf<T extends KubeObject>(
  sources: Sources,
  resource: Resource<T>,
  object: Owned,
): Frozen<T> | undefined {
  const name = ownerNameOf(resource, object);
  if (name === undefined) return undefined;
  return sources.sourceFor(resource).get({ namespace: object.metadata.namespace ?? '', name });
}
