import { type ObjectRef, type Observed, refOf } from './object-ref.js';
import type { ObjectSet } from './object-set.js';
import { clusterNameOf, referencesOf } from './references.js';

/** Kinds that are shared by several clusters and belong to none of them. */
const shared = new Set(['ClusterResourceSet', 'ClusterResourceSetBinding', 'Namespace']);

/**
 * Returns the objects of a set that belong to one Cluster: objects that name it, their dependents, and objects that they
 * reference, such as templates. Excludes objects that name another Cluster, and objects that cannot be reached from this Cluster.
 */
export function relatedTo(set: ObjectSet, cluster: Observed): ReadonlySet<Observed> {
  const found = new Set<Observed>([cluster]);
  const { namespace, name } = cluster.metadata;
  const isForeign = (object: Observed): boolean => {
    if (object.kind === 'Cluster' || shared.has(object.kind)) return true;
    const named = clusterNameOf(object);
    return named !== undefined && (named !== name || object.metadata.namespace !== namespace);
  };
  for (const object of set.objects) if (!isForeign(object) && clusterNameOf(object) === name) found.add(object);
  for (const object of found)
    for (const next of [...set.ownedBy(object), ...targetsOf(set, object)]) if (!isForeign(next)) found.add(next);
  return found;
}

function targetsOf(set: ObjectSet, object: Observed): Observed[] {
  const secrets: readonly ObjectRef[] =
    object.kind === 'Cluster'
      ? ['ca', 'etcd', 'proxy', 'sa', 'kubeconfig'].map((purpose) => {
          const { namespace, name } = refOf(object);
          return { group: '', kind: 'Secret', namespace, name: `${name}-${purpose}` };
        })
      : [];
  return [...referencesOf(object).map(({ target }) => target), ...secrets].flatMap((target) => set.get(target) ?? []);
}
