import {
  clusterNameOf,
  clusters,
  contractLabelPrefix,
  contracts,
  labels,
  readConfiguration,
} from '@slipway/cluster-api';
import {
  compareVersionPriority,
  type CustomResourceDefinition,
  type Frozen,
  isReason,
  type KubeObject,
} from '@slipway/kube';
import {
  type Client,
  configMaps,
  customResourceDefinitions,
  namespaces,
  type Resource,
  secrets,
} from '@slipway/runtime';
import type { ManagementState, PlacedObject } from './state.js';

/** The part of a management cluster to read. */
export interface StateScope {
  /** All namespaces if absent. */
  readonly namespaces?: readonly string[];
  /** `namespace/name` of Clusters; all Clusters in the namespaces if absent. */
  readonly clusters?: ReadonlySet<string>;
}

type Definition = Frozen<CustomResourceDefinition>;

/** Reads everything that Cluster API controllers read. Writes nothing. */
export async function readState(client: Client, scope: StateScope, signal?: AbortSignal): Promise<ManagementState> {
  const request = signal === undefined ? {} : { signal };
  const all = (await client.list(customResourceDefinitions, request)).items;
  const definitions = all.filter(({ metadata, spec }) => isOfClusterApi({ metadata, group: spec.group }));
  const wanted = await namespacesOf(client, scope, request);
  const found: PlacedObject[] = [];
  for (const { object } of await listNamespaces(client, wanted, request)) found.push({ resource: namespaces, object });
  for (const definition of definitions)
    found.push(...(await listAll(client, resourceOfDefinition(definition), wanted, request)));
  const own = found.filter(({ object }) => isWanted(object, scope));
  const owners = new Set(own.map(({ object }) => object.metadata.uid));
  const names = clusterNames(own);
  for (const resource of [secrets, configMaps])
    for (const placed of await listAll(client, resource, wanted, request))
      if (belongs(placed.object, names, owners)) own.push(placed);
  const configuration = await readConfiguration(client, request);
  return { definitions, objects: own, ...(configuration && { configuration }) };
}

type Request = { readonly signal?: AbortSignal };

async function listAll(
  client: Client,
  resource: Resource,
  wanted: readonly string[] | undefined,
  request: Request,
): Promise<PlacedObject[]> {
  const places = resource.namespaced && wanted !== undefined ? wanted.map((namespace) => ({ namespace })) : [{}];
  const lists = await Promise.all(places.map((place) => listOrNone(client, resource, { ...place, ...request })));
  return lists.flat().map((object) => ({ resource, object }));
}

/** Lists objects. Returns none if the kind is not served: its CRD may have been deleted, or not be served yet. */
async function listOrNone(
  client: Client,
  resource: Resource,
  options: { readonly namespace?: string },
): Promise<readonly Frozen<KubeObject>[]> {
  try {
    return (await client.list(resource, options)).items;
  } catch (error) {
    if (isReason(error, 'NotFound')) return [];
    throw error;
  }
}

async function listNamespaces(
  client: Client,
  wanted: readonly string[] | undefined,
  request: Request,
): Promise<PlacedObject[]> {
  const { items } = await client.list(namespaces, request);
  const known = items.filter(({ metadata }) => wanted === undefined || wanted.includes(metadata.name ?? ''));
  return known.map((object) => ({ resource: namespaces, object }));
}

/**
 * Returns the namespaces of the scope, and of the ClusterClasses that its Clusters use. Undefined if the scope is all namespaces.
 */
async function namespacesOf(
  client: Client,
  scope: StateScope,
  request: Request,
): Promise<readonly string[] | undefined> {
  if (scope.namespaces === undefined) return undefined;
  const wanted = new Set(scope.namespaces);
  for (const namespace of scope.namespaces) {
    for (const cluster of await listOrNone(client, clusters, { namespace, ...request })) {
      const { spec } = cluster as { spec?: { topology?: { classRef?: { namespace?: string } } } };
      const other = spec?.topology?.classRef?.namespace;
      if (other !== undefined && other !== '') wanted.add(other);
    }
  }
  return [...wanted];
}

interface DefinitionMetadata {
  readonly metadata: Definition['metadata'];
  readonly group: string;
}

export function isOfClusterApi({ metadata, group }: DefinitionMetadata): boolean {
  if (group === 'cluster.x-k8s.io' || group.endsWith('.cluster.x-k8s.io')) return true;
  return contracts.some((contract) => metadata.labels?.[`${contractLabelPrefix}${contract}`] !== undefined);
}

/**
 * Returns the resource of a CRD in the version that controllers read: the newest version with a supported contract, or else the
 * storage version.
 */
export function resourceOfDefinition({ metadata, spec }: Definition): Resource {
  const { group, names, scope } = spec;
  const served = spec.versions.filter((version) => version.served).map(({ name }) => name);
  const promised = contracts.map((contract) => metadata.labels?.[`${contractLabelPrefix}${contract}`]);
  const [best] = (promised.find((value) => value !== undefined) ?? '')
    .split('_')
    .filter((name) => served.includes(name))
    .sort(compareVersionPriority);
  const version = best ?? spec.versions.find(({ storage }) => storage)?.name ?? served[0] ?? '';
  return { group, version, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' };
}

function isWanted(object: Frozen<KubeObject>, scope: StateScope): boolean {
  if (scope.clusters === undefined || object.kind === 'Namespace') return true;
  const { namespace = '', name = '' } = object.metadata;
  const cluster = object.kind === clusters.kind ? name : clusterNameOf(object);
  return cluster === undefined || scope.clusters.has(`${namespace}/${cluster}`);
}

function clusterNames(objects: readonly PlacedObject[]): ReadonlySet<string> {
  const names = objects.filter(({ object }) => object.kind === clusters.kind).map(({ object }) => object.metadata);
  return new Set(names.map(({ namespace = '', name = '' }) => `${namespace}/${name}`));
}

/**
 * Returns whether a Secret belongs to one of the clusters: by its label, by an owner in the state, or by the name of
 * user-provided certificates.
 */
function belongs(
  { metadata }: Frozen<KubeObject>,
  names: ReadonlySet<string>,
  owners: ReadonlySet<string | undefined>,
): boolean {
  const { namespace = '', name = '' } = metadata;
  const label = metadata.labels?.[labels.clusterName];
  if (label !== undefined) return names.has(`${namespace}/${label}`);
  if (metadata.ownerReferences?.some(({ uid }) => owners.has(uid)) === true) return true;
  const dash = name.lastIndexOf('-');
  return dash > 0 && names.has(`${namespace}/${name.slice(0, dash)}`);
}
