import { deepEqual, type FieldError, forbidden, forbiddenField, type Frozen } from '@slipway/kube';
import { type Cluster, type ClusterClass, clusters } from '../api/index.js';
import type { AdmissionChange, AdmissionContext, AdmissionReader } from './admission.js';

/** Rejects the deletion of a ClusterClass that Clusters use, and the removal of worker classes that they use. */
export async function validateClusterClassLive(
  { object, old }: AdmissionChange<ClusterClass>,
  _context: AdmissionContext,
  reader: AdmissionReader,
): Promise<FieldError[]> {
  if (old === undefined || (object !== undefined && deepEqual(object.spec.workers, old.spec.workers))) return [];
  const users = await clustersOf(old, reader);
  if (users.length === 0) return [];
  if (object === undefined) {
    const { name = '' } = old.metadata;
    const detail = `ClusterClass cannot be deleted because it is used by ${users.length} Cluster(s)`;
    throw forbidden({ group: 'cluster.x-k8s.io', resource: 'clusterclasses' }, name, detail);
  }
  const used = (part: 'machineDeployments' | 'machinePools'): ReadonlySet<string> =>
    new Set(users.flatMap(({ spec }) => (spec.topology?.workers?.[part] ?? []).map((worker) => worker.class)));
  return validateClassesKept(object.spec, {
    machineDeployments: used('machineDeployments'),
    machinePools: used('machinePools'),
  });
}

/** Rejects the removal of worker classes that Clusters use. `used` are the names in use. */
export function validateClassesKept(
  spec: ClusterClass['spec'],
  used: { readonly machineDeployments: ReadonlySet<string>; readonly machinePools: ReadonlySet<string> },
): FieldError[] {
  return (['machineDeployments', 'machinePools'] as const).flatMap((part) => {
    const present = new Set((spec.workers?.[part] ?? []).map((worker) => worker.class));
    return [...used[part]]
      .filter((name) => !present.has(name))
      .map((name) =>
        forbiddenField(`spec.workers.${part}`, `class "${name}" cannot be deleted because it is used by Clusters`),
      );
  });
}

/**
 * Returns the Clusters that use a ClusterClass. Lists all namespaces, because a Cluster can use a ClusterClass of another
 * namespace. ClusterClasses change rarely, so the cost is acceptable.
 */
async function clustersOf({ metadata }: ClusterClass, reader: AdmissionReader): Promise<readonly Frozen<Cluster>[]> {
  const { items } = await reader.list(clusters);
  return items.filter((cluster) => {
    const { classRef } = cluster.spec.topology ?? {};
    const namespace = classRef?.namespace ?? cluster.metadata.namespace;
    return classRef?.name === metadata.name && namespace === metadata.namespace;
  });
}
