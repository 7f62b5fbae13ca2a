import { clusters, labels, machineDeployments, machinePools } from '@slipway/cluster-api';
import type { Client, ObjectKey, Resource } from '@slipway/runtime';
import { isAllowed } from '../access/reviews.js';
import type { AccessView } from '../model/action.js';
import { type Ref, refKey } from '../model/cluster.js';

/** Reads the permissions of the user for a cluster, to disable buttons. The API server checks them again on each action. */
export async function readAccess(client: Client, key: ObjectKey, groups: readonly Ref[]): Promise<AccessView> {
  const { namespace, name } = key;
  const may = (verb: string, { group, plural }: Pick<Resource, 'group' | 'plural'>, of: string): Promise<boolean> =>
    isAllowed(client, { verb, group, resource: plural, namespace, name: of });
  const [change, remove, kubeconfig, ...ofGroups] = await Promise.all([
    may('patch', clusters, name),
    may('delete', clusters, name),
    may('get', { group: '', plural: 'secrets' }, `${name}-kubeconfig`),
    ...groups.map(async (ref) => {
      const resource = await resourceFor(client, ref);
      return resource !== undefined && may('patch', resource, ref.name);
    }),
  ]);
  const keys = groups.map((ref, index): [string, boolean] => [refKey(ref), ofGroups[index] ?? false]);
  return { change, delete: remove, kubeconfig, groups: Object.fromEntries(keys) };
}

async function resourceFor(
  client: Client,
  { group, kind }: Ref,
): Promise<Pick<Resource, 'group' | 'plural'> | undefined> {
  const builtin = [machineDeployments, machinePools].find((one) => one.kind === kind && one.group === group);
  return builtin ?? client.resourceFor({ group, kind });
}

/** Returns the objects of a cluster that can be scaled. */
export async function groupsOf(client: Client, { namespace, name }: ObjectKey): Promise<readonly Ref[]> {
  const labelSelector = `${labels.clusterName}=${name}`;
  const found: Ref[] = [];
  for (const resource of [machineDeployments, machinePools] as readonly Resource[]) {
    const { items } = await client.list(resource, { namespace, labelSelector, metadataOnly: true });
    const { group, kind } = resource;
    found.push(...items.map(({ metadata }) => ({ group, kind, namespace, name: metadata.name ?? '' })));
  }
  const cluster = await client.get(clusters, { namespace, name });
  const { controlPlaneRef } = cluster.spec;
  if (controlPlaneRef !== undefined)
    found.push({ group: controlPlaneRef.apiGroup, kind: controlPlaneRef.kind, namespace, name: controlPlaneRef.name });
  return found;
}
