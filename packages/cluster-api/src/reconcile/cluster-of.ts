import type { Frozen, KubeObject } from '@slipway/kube';
import { keyOf, labelIndex, type ObjectKey, type Resource, type Sources } from '@slipway/runtime';
import { type Cluster, clusters, labels } from '../api/index.js';

/** A Cluster from the cache: shared and immutable. */
export type ObservedCluster = Frozen<Cluster>;

interface BelongsToCluster extends Pick<Frozen<KubeObject>, 'metadata'> {
  readonly spec?: { readonly clusterName?: string };
}

/** Returns the Cluster name of an object from its spec, or from its label if the spec has none. */
export function clusterNameOf(object: BelongsToCluster): string | undefined {
  return object.spec?.clusterName ?? object.metadata.labels?.[labels.clusterName];
}

export function clusterOf(sources: Sources, object: BelongsToCluster): ObservedCluster | undefined {
  const name = clusterNameOf(object);
  if (name === undefined) return undefined;
  return sources.sourceFor(clusters).get({ namespace: object.metadata.namespace ?? '', name });
}

/** Returns the keys of all objects of a kind that have the name label of a Cluster. */
export function keysOfCluster<T extends KubeObject>(
  sources: Sources,
  resource: Resource<T>,
  { namespace, name }: ObjectKey,
): ObjectKey[] {
  const found = sources.sourceFor(resource).byIndex(labelIndex(labels.clusterName), `${namespace}/${name}`);
  return found.map(keyOf);
}
