import type { Frozen, KubeObject } from '@slipway/kube';
import { keyOf, labelIndex, type ObjectKey, type Resource, type Sources } from '@slipway/runtime';
import { type Cluster, clusters, labels } from '../api/index.js';

/** A Cluster from the cache: shared and immutable. */
export type ObservedCluster = Frozen<Cluster>;

interface BelongsToCluster extends Pick<Frozen<KubeObject>, 'metadata'> {
  readonly spec?: { readonly clusterName?: string };
}

/** The name of an object's Cluster: from its spec, or else from its label. */
export function clusterNameOf(object: BelongsToCluster): string | undefined {
  return object.spec?.clusterName ?? object.metadata.labels?.[labels.clusterName];
}

export function clusterOf(sources: Sources, object: BelongsToCluster): ObservedCluster | undefined {
  const name = clusterNameOf(object);
  if (name === undefined) return undefined;
  return sources.sourceFor(clusters).get({ namespace: object.metadata.namespace ?? '', name });
}

/** The keys of all objects of a kind with the label of a Cluster. */
export function keysOfCluster<T extends KubeObject>(
  sources: Sources,
  resource: Resource<T>,
  { namespace, name }: ObjectKey,
): ObjectKey[] {
  const found = sources.sourceFor(resource).byIndex(labelIndex(labels.clusterName), `${namespace}/${name}`);
  return found.map(keyOf);
}
