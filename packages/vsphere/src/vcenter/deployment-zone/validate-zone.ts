import type { ConditionSeverity } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import type { VSphereDeploymentZone, VSphereFailureDomain } from '../../api/index.js';
import {
  type CallOptions,
  type Data,
  Finder,
  findNetwork,
  isA,
  type ObjectRef,
  retrieveOne,
  Tags,
  type VimSession,
} from '../../vim25/index.js';

type Zone = Frozen<VSphereDeploymentZone>;
type Domain = Frozen<VSphereFailureDomain>;
type Tagged = Domain['spec']['region'];

/** A problem with a zone, as the reason of one of its conditions. */
export class ZoneError extends Error {
  constructor(
    readonly condition: 'placement' | 'failureDomain',
    readonly reason: string,
    message: string,
    readonly old: readonly [string, ConditionSeverity] = [reason, 'Error'],
  ) {
    super(message);
    this.name = 'ZoneError';
  }
}

export interface Inventory {
  readonly session: VimSession;
  readonly finder: Finder;
  readonly options: CallOptions;
}

/** Validates the placement constraint of a zone, and returns its resource pool. */
export async function validatePlacement(zone: Zone, { finder }: Inventory): Promise<ObjectRef | undefined> {
  const { resourcePool, folder } = zone.spec.placementConstraint ?? {};
  const pool =
    resourcePool === undefined
      ? undefined
      : await orZoneError(finder.find('resourcePool', resourcePool), 'placement', 'ResourcePoolNotFound');
  if (folder !== undefined) await orZoneError(finder.find('folder', folder), 'placement', 'FolderNotFound');
  return pool;
}

/** Validates a failure domain: its tags, and the inventory objects that machines use. */
export async function validateDomain(domain: Domain, pool: ObjectRef | undefined, inventory: Inventory): Promise<void> {
  const { region, zone, topology } = domain.spec;
  const cluster =
    topology.computeCluster === undefined
      ? undefined
      : await orZoneError(
          inventory.finder.find('computeCluster', topology.computeCluster),
          'failureDomain',
          'ComputeClusterNotFound',
        );
  const groups = cluster === undefined ? undefined : await readGroups(cluster, inventory);
  await validateTag('Region', region, await taggedObjects(region, topology, cluster, groups, inventory), inventory);
  await validateTag('Zone', zone, await taggedObjects(zone, topology, cluster, groups, inventory), inventory);
  if (cluster !== undefined && pool !== undefined) await validateOwner(pool, cluster, topology, inventory);
  if (topology.datastore !== undefined) {
    await orZoneError(inventory.finder.find('datastore', topology.datastore), 'failureDomain', 'DatastoreNotFound');
  }
  const networks = [
    ...(topology.networks ?? []),
    ...(topology.networkConfigurations ?? []).map(({ networkName }) => networkName),
  ];
  for (const name of networks) {
    const found = findNetwork(inventory.session.soap, inventory.finder, name, inventory.options);
    await orZoneError(found, 'failureDomain', 'NetworkNotFound');
  }
  if (topology.hosts !== undefined) validateHosts(topology.hosts, groups);
}

async function readGroups(cluster: ObjectRef, inventory: Inventory): Promise<Data<'ClusterConfigInfoEx'> | undefined> {
  if (cluster.type !== 'ClusterComputeResource') return undefined;
  const { configurationEx } = await retrieveOne(
    inventory.session.soap,
    cluster,
    ['configurationEx'],
    inventory.options,
  );
  return configurationEx;
}

async function taggedObjects(
  { type }: Tagged,
  topology: Domain['spec']['topology'],
  cluster: ObjectRef | undefined,
  configuration: Data<'ClusterConfigInfoEx'> | undefined,
  { finder }: Inventory,
): Promise<readonly ObjectRef[]> {
  switch (type) {
    case 'Datacenter':
      return [await finder.datacenter()];
    case 'ComputeCluster':
      return cluster === undefined ? [] : [cluster];
    default: {
      const group = configuration?.group?.find(({ name }) => name === topology.hosts?.hostGroupName);
      return isA(group, 'ClusterHostGroup') ? (group.host ?? []) : [];
    }
  }
}

/** Throws unless every object has a tag of that name in that category. */
async function validateTag(
  which: 'Region' | 'Zone',
  { name, tagCategory, type }: Tagged,
  objects: readonly ObjectRef[],
  { session, options }: Inventory,
): Promise<void> {
  const fail = (message: string): never => {
    throw new ZoneError('failureDomain', `${which}Misconfigured`, message, [
      `FailureDomain${which}Misconfigured`,
      'Error',
    ]);
  };
  const tags = new Tags(session.rest, options);
  const category = await tags.categoryNamed(tagCategory);
  if (category === undefined) return fail(`tag category ${tagCategory} not found`);
  const tag = (await tags.tagsOf(category.id)).find((one) => one.name === name);
  if (tag === undefined) return fail(`tag ${name} not found in category ${tagCategory}`);
  if (objects.length === 0) return fail(`unable to find taggable object of type ${type}`);
  for (const object of objects) {
    const attached = await tags.attachedTo(object);
    if (!attached.includes(tag.id) && !(await hasTagNamed(tags, attached, name))) {
      return fail(`tag ${name} is not attached to ${object.type} ${object.value}; attach it in vCenter`);
    }
  }
}

/** Returns whether one of the tags has the name. Names are compared, as in upstream. */
async function hasTagNamed(tags: Tags, ids: readonly string[], name: string): Promise<boolean> {
  for (const id of ids) if ((await tags.tag(id)).name === name) return true;
  return false;
}

async function validateOwner(
  pool: ObjectRef,
  cluster: ObjectRef,
  topology: Domain['spec']['topology'],
  { session, options }: Inventory,
): Promise<void> {
  const { owner } = await retrieveOne(session.soap, pool, ['owner'], options);
  if (owner?.value === cluster.value) return;
  throw new ZoneError(
    'failureDomain',
    'ResourcePoolNotFound',
    `the resource pool of the zone is not in compute cluster ${topology.computeCluster}`,
  );
}

function validateHosts(
  { vmGroupName, hostGroupName }: NonNullable<Domain['spec']['topology']['hosts']>,
  configuration: Data<'ClusterConfigInfoEx'> | undefined,
): void {
  const rule = configuration?.rule?.find(
    (one) =>
      isA(one, 'ClusterVmHostRuleInfo') && one.vmGroupName === vmGroupName && one.affineHostGroupName === hostGroupName,
  );
  if (rule !== undefined) return;
  throw new ZoneError(
    'failureDomain',
    'HostsMisconfigured',
    `no rule ties VM group ${vmGroupName} to host group ${hostGroupName}; create one in vCenter`,
  );
}

async function orZoneError<T>(found: Promise<T>, condition: ZoneError['condition'], reason: string): Promise<T> {
  try {
    return await found;
  } catch (error) {
    const { name, message } = error as Error;
    if (name !== 'NotFoundInInventory' && name !== 'AmbiguousInInventory') throw error;
    throw new ZoneError(condition, reason, message);
  }
}
