import { clusterClasses, clusters, contractLabelPrefix, contracts, labels, providers } from '@slipway/cluster-api';
import type { CustomResourceDefinition, Frozen, KubeObject } from '@slipway/kube';
import {
  type Client,
  configMaps,
  customResourceDefinitions,
  type RequestOptions,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { listInstalled } from '../inventory/index.js';
import { buildMoveGraph, classOf, type FoundObject, type MoveGraph, type MoveScope } from './graph.js';

type Definition = Frozen<CustomResourceDefinition>;

export interface DiscoverOptions extends RequestOptions {
  readonly namespace: string;
  readonly cluster?: string;
}

/** Finds the objects that belong to the Clusters of a namespace, as clusterctl does. */
export async function discoverMove(client: Client, options: DiscoverOptions): Promise<MoveGraph> {
  const { namespace, signal } = options;
  const request = signal === undefined ? {} : { signal };
  const definitions = (await client.list(customResourceDefinitions, request)).items.filter(isMovable);
  const kinds = new Map(definitions.map((definition) => [resourceOfStorage(definition), movesBy(definition)]));
  for (const builtin of [secrets, configMaps]) kinds.set(builtin, undefined);
  const found: FoundObject[] = [];
  for (const [resource, kindMoves] of kinds) {
    const place = resource.namespaced ? { namespace } : {};
    const { items } = await client.list(resource, { ...place, ...request });
    for (const object of items) found.push(foundObject(resource, object, kindMoves));
  }
  found.push(...(await credentialsOfProviders(client, options)));
  const everyCluster = (await client.list(clusters, request)).items as readonly Frozen<KubeObject>[];
  found.push(...(await classesElsewhere(client, [...kinds.keys()], found, request)));
  const scope: MoveScope = {
    namespace,
    ...(options.cluster !== undefined && { cluster: options.cluster }),
    otherClusters: everyCluster.filter((cluster) => !isMoving(cluster, options)),
  };
  return buildMoveGraph(distinct(found), scope);
}

function isMoving({ metadata }: Frozen<KubeObject>, { namespace, cluster }: DiscoverOptions): boolean {
  const isInside = namespace === '' || metadata.namespace === namespace;
  return isInside && (cluster === undefined || metadata.name === cluster);
}

function foundObject(resource: Resource, object: Frozen<KubeObject>, kindMoves: FoundObject['kindMoves']): FoundObject {
  return kindMoves === undefined ? { resource, object } : { resource, object, kindMoves };
}

/**
 * Whether objects of a CRD may move. The CRD has the label of clusterctl or, if it was not installed by clusterctl, the
 * name or the contract of a Cluster API CRD.
 */
function isMovable({ metadata, spec }: Definition): boolean {
  if (spec.names.kind === providers.kind && spec.group === providers.group) return false;
  const own = metadata.labels ?? {};
  if (labels.clusterctl in own || labels.provider in own) return true;
  if (spec.group === 'cluster.x-k8s.io' || spec.group.endsWith('.cluster.x-k8s.io')) return true;
  return contracts.some((contract) => own[`${contractLabelPrefix}${contract}`] !== undefined);
}

function movesBy({ metadata }: Definition): FoundObject['kindMoves'] {
  const own = metadata.labels ?? {};
  if (labels.clusterctlMoveHierarchy in own) return 'withDependents';
  return labels.clusterctlMove in own ? 'alone' : undefined;
}

function resourceOfStorage({ spec }: Definition): Resource {
  const { group, names, scope, versions } = spec;
  const version = versions.find(({ storage }) => storage)?.name ?? '';
  return { group, version, kind: names.kind, plural: names.plural, namespaced: scope === 'Namespaced' };
}

/** Returns the Secrets in the namespace of an infrastructure provider. Cluster-scoped identities may own some of them. */
async function credentialsOfProviders(client: Client, options: DiscoverOptions): Promise<FoundObject[]> {
  const { signal } = options;
  const installed = await listInstalled(client, signal === undefined ? {} : { signal });
  const places = new Set(
    installed.filter(({ type }) => type === 'InfrastructureProvider').map(({ namespace }) => namespace),
  );
  const lists = [...places].map(async (namespace) => {
    const { items } = await client.list(secrets, { namespace, ...(signal && { signal }) });
    return items.map((object) => foundObject(secrets, object as Frozen<KubeObject>, undefined));
  });
  return (await Promise.all(lists)).flat();
}

/** Returns the ClusterClasses of other namespaces that the Clusters use, and their templates. */
async function classesElsewhere(
  client: Client,
  kinds: readonly Resource[],
  found: readonly FoundObject[],
  request: RequestOptions,
): Promise<FoundObject[]> {
  const added: FoundObject[] = [];
  const seen = new Set<string>();
  for (const { object } of found.filter(({ resource }) => resource.kind === clusters.kind)) {
    const used = classOf(object);
    if (used === undefined || used.namespace === object.metadata.namespace) continue;
    if (seen.has(`${used.namespace}/${used.name}`)) continue;
    seen.add(`${used.namespace}/${used.name}`);
    const definition = await client.get(clusterClasses, used, request);
    added.push({ resource: clusterClasses, object: definition as Frozen<KubeObject> });
    added.push(...(await templatesOf(client, kinds, definition as Frozen<KubeObject>, request)));
  }
  return added;
}

async function templatesOf(
  client: Client,
  kinds: readonly Resource[],
  definition: Frozen<KubeObject>,
  request: RequestOptions,
): Promise<FoundObject[]> {
  const { namespace = '', uid } = definition.metadata;
  const templates = kinds.filter(({ kind, namespaced }) => namespaced && kind.endsWith('Template'));
  const lists = templates.map(async (resource) => {
    const { items } = await client.list(resource, { namespace, ...request });
    const owned = items.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
    return owned.map((object) => ({ resource, object }));
  });
  return (await Promise.all(lists)).flat();
}

function distinct(found: readonly FoundObject[]): FoundObject[] {
  return [...new Map(found.map((each) => [each.object.metadata.uid ?? '', each])).values()];
}
