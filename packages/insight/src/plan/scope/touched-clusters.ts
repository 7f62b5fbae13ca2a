import { clusterClasses, clusters, machineDeployments, machinePools, machineSets } from '@slipway/cluster-api';
import { isReason, type KubeObject } from '@slipway/kube';
import type { Resource } from '@slipway/runtime';
import { clusterNameOf, type ObjectRef, type Observed, refKey, referencesOf, refOf } from '../../objects/index.js';
import type { KindCatalog } from './kind-catalog.js';

/** An object of a manifest, and the existing object that it changes. */
export interface ManifestObject {
  readonly object: KubeObject;
  readonly live: Observed | undefined;
}

/** Purposes of Secrets that belong to a Cluster by name, as in `demo-kubeconfig`. */
export const secretPurposes: readonly string[] = ['kubeconfig', 'ca', 'etcd', 'proxy', 'sa'];
/** API groups whose objects never change Machines by themselves. */
const otherGroups = /^(|addons\.cluster\.x-k8s\.io|ipam\.cluster\.x-k8s\.io|runtime\.cluster\.x-k8s\.io)$/;

/** Returns `namespace/name` of the Clusters that the objects can affect. */
export async function touchedClusters(
  catalog: KindCatalog,
  touched: readonly ManifestObject[],
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  const shared: ObjectRef[] = [];
  for (const { object, live } of touched) {
    const cluster = clusterOf(object) ?? (live && clusterOf(live));
    if (cluster !== undefined) found.add(`${object.metadata.namespace ?? ''}/${cluster}`);
    else if (!otherGroups.test(refOf(object).group)) shared.push(refOf(object));
  }
  for (const cluster of await clustersUsing(catalog, shared)) found.add(cluster);
  return found;
}

function clusterOf(object: Observed): string | undefined {
  const named = clusterNameOf(object);
  if (named !== undefined) return named;
  const { name = '', ownerReferences = [] } = object.metadata;
  const dash = name.lastIndexOf('-');
  if (object.kind === 'Secret' && dash > 0 && secretPurposes.includes(name.slice(dash + 1))) return name.slice(0, dash);
  const isShared = object.kind.endsWith('Template') || object.kind === clusterClasses.kind;
  return isShared ? undefined : ownerReferences.find(({ kind }) => kind === clusters.kind)?.name;
}

const referrers = [machineDeployments, machineSets, machinePools] as unknown as readonly Resource[];

/** Returns the Clusters that use one of the shared objects, such as a ClusterClass or a template. */
async function clustersUsing(catalog: KindCatalog, shared: readonly ObjectRef[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (shared.length === 0) return found;
  const targets = new Set(shared.map(refKey));
  const uses = (object: Observed): boolean => referencesOf(object).some(({ target }) => targets.has(refKey(target)));
  const places = [...new Set(shared.map(({ namespace }) => namespace))];
  const list = async (resource: Resource): Promise<readonly Observed[]> =>
    (await Promise.all(places.map((namespace) => catalog.list(resource, { namespace })))).flat();
  for (const object of await list(clusterClasses as unknown as Resource))
    if (uses(object)) targets.add(refKey(refOf(object)));
  const hasClass = [...targets].some((key) => key.includes(`|${clusterClasses.kind}|`));
  const controlPlanes = catalog.kinds.filter(
    ({ group, kind }) => group.startsWith('controlplane.') && !kind.endsWith('Template'),
  );
  const lists = await Promise.all([
    hasClass ? listEverywhere(catalog, places) : list(clusters as unknown as Resource),
    ...[...referrers, ...controlPlanes].map(list),
  ]);
  for (const object of lists.flat().filter(uses)) {
    const cluster = clusterNameOf(object);
    if (cluster !== undefined) found.add(`${object.metadata.namespace ?? ''}/${cluster}`);
  }
  return found;
}

/**
 * Lists Clusters of all namespaces, because Clusters can use a ClusterClass of another namespace. Falls back to single namespaces
 * if the user may not list all.
 */
async function listEverywhere(catalog: KindCatalog, places: readonly string[]): Promise<readonly Observed[]> {
  const resource = clusters as unknown as Resource;
  try {
    return await catalog.list(resource);
  } catch (error) {
    if (!isReason(error, 'Forbidden')) throw error;
    return (await Promise.all(places.map((namespace) => catalog.list(resource, { namespace })))).flat();
  }
}
