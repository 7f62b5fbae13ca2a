import {
  clusterClasses,
  clusterResourceSetBindings,
  clusterResourceSets,
  clusters,
  contractVersionOf,
  definitionNameOf,
  ipAddressClaims,
  labels,
  machineDeployments,
  machineHealthChecks,
  machinePools,
  machines,
  machineSets,
} from '@slipway/cluster-api';
import { isReason, type KubeObject } from '@slipway/kube';
import {
  type Client,
  configMaps,
  coreEvents,
  customResourceDefinitions,
  ifPresent,
  namespaces,
  type ObjectKey,
  type Resource,
  secrets,
} from '@slipway/runtime';
import { type ObjectRef, type Observed, refKey, refOf } from './object-ref.js';
import { ObjectSet } from './object-set.js';
import { eventFrom } from './observed-event.js';
import { referencesOf } from './references.js';

export interface ClusterReadOptions {
  readonly signal?: AbortSignal | undefined;
  /** Whether to skip reading Events, for callers that do not show them. */
  readonly withoutEvents?: boolean;
}

/** The requested object does not exist. */
export class NotFoundError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NotFoundError';
  }
}

/** The maximum number of times that references are followed, for example from a Cluster to its ClusterClass to its templates. */
const roundsMax = 4;
const ofClusters: readonly Resource[] = [
  machines,
  machineSets,
  machineDeployments,
  machinePools,
  machineHealthChecks,
  ipAddressClaims,
];

/**
 * Reads everything that belongs to a Cluster: objects with its name, and objects that they reference. Makes one list request per
 * kind, independent of the number of machines, and reads only the metadata of Secrets and CRDs.
 */
export async function readCluster(
  client: Client,
  key: ObjectKey,
  options: ClusterReadOptions = {},
): Promise<ObjectSet> {
  const { signal } = options;
  const root = await ifPresent(client.get(clusters, key, { signal }));
  if (root === undefined) throw new NotFoundError(`Cluster ${key.name} not found in namespace ${key.namespace}`);
  return readAround(client, key.namespace, { cluster: key.name, seeds: [root], ...options });
}

/** Returns the kinds whose objects have the cluster name label. */
export async function watchedKinds(client: Client, signal: AbortSignal): Promise<readonly Resource[]> {
  return new Kinds(client, await readDefinitions(client, signal)).toList(false);
}

/** Reads the objects around one object of any kind, including its Cluster if it has one. */
export async function readObject(
  client: Client,
  object: Observed,
  cluster: string | undefined,
  options: ClusterReadOptions = {},
): Promise<ObjectSet> {
  const namespace = object.metadata.namespace ?? '';
  const { signal } = options;
  const root =
    cluster === undefined ? undefined : await ifPresent(client.get(clusters, { namespace, name: cluster }, { signal }));
  const seeds = root === undefined ? [object] : [object, root];
  return readAround(client, namespace, { cluster: root && cluster, seeds, ...options });
}

/** Reads all Cluster API objects of the server or of one namespace. */
export async function readAll(client: Client, namespace = '', options: ClusterReadOptions = {}): Promise<ObjectSet> {
  return readAround(client, namespace, { cluster: undefined, seeds: [], everything: true, ...options });
}

interface Around extends ClusterReadOptions {
  readonly cluster: string | undefined;
  readonly seeds: readonly Observed[];
  readonly everything?: boolean;
}

async function readAround(client: Client, namespace: string, around: Around): Promise<ObjectSet> {
  const { cluster, signal, seeds, everything = false } = around;
  const definitions = await readDefinitions(client, signal);
  const kinds = new Kinds(client, definitions);
  const selection = { ...(cluster === undefined ? {} : { labelSelector: `${labels.clusterName}=${cluster}` }), signal };
  const list = (resource: Resource, query: object = selection): Promise<readonly Observed[]> =>
    listServed(client, resource, { namespace, ...query });
  const listed: Promise<readonly Observed[]>[] = [];
  if (cluster !== undefined || everything) {
    for (const resource of kinds.toList(everything)) listed.push(list(resource));
    listed.push(list(secrets, { ...selection, metadataOnly: true }).then((found) => found.map(withoutData)));
  }
  listed.push(list(clusterResourceSets, { signal }));
  listed.push(list(clusterResourceSetBindings, { signal }));
  // Await all promises together: if one rejected while another is awaited, the unhandled rejection would end the process.
  const [found, home, events] = await Promise.all([
    Promise.all(listed),
    namespace === '' ? [] : readNamespace(client, namespace, signal),
    around.withoutEvents === true ? [] : list(coreEvents, { signal }),
  ]);
  const followed = await follow(client, kinds, [...seeds, ...found.flat(), ...home], signal);
  return new ObjectSet({ objects: followed, definitions, events: events.flatMap((event) => eventFrom(event)) });
}

/** Reads the Namespace, which is optional evidence. Returns nothing without read permission. */
async function readNamespace(client: Client, name: string, signal?: AbortSignal): Promise<readonly Observed[]> {
  try {
    const found = await ifPresent(client.get(namespaces, { namespace: '', name }, { signal }));
    return found === undefined ? [] : [found];
  } catch (error) {
    if (isReason(error, 'Forbidden')) return [];
    throw error;
  }
}

/** Adds referenced objects that were not listed, until no new ones are found. */
async function follow(
  client: Client,
  kinds: Kinds,
  objects: readonly Observed[],
  signal: AbortSignal | undefined,
): Promise<readonly Observed[]> {
  const found = new Map(objects.map((object) => [refKey(refOf(object)), object]));
  const asked = new Set<string>();
  let newest: readonly Observed[] = objects;
  for (let round = 0; round < roundsMax && newest.length > 0; round += 1) {
    const targets = newest.flatMap(wantedBy).filter((target) => {
      const key = refKey(target);
      if (found.has(key) || asked.has(key)) return false;
      asked.add(key);
      return true;
    });
    const answers = await Promise.all(targets.map((target) => findObject(client, target, { kinds, signal })));
    newest = answers.filter((object) => object !== undefined);
    for (const object of newest) found.set(refKey(refOf(object)), object);
  }
  return [...found.values()];
}

/** Returns the references of an object to other objects and owners, and the Secrets that belong to it by name. */
function wantedBy(object: Observed): ObjectRef[] {
  const owners = (object.metadata.ownerReferences ?? []).map(({ apiVersion, kind, name }) => ({
    group: apiVersion.includes('/') ? (apiVersion.split('/')[0] ?? '') : '',
    kind,
    namespace: object.metadata.namespace ?? '',
    name,
  }));
  return [...referencesOf(object).map(({ target }) => target), ...owners, ...namedAfter(object)];
}

const secretsOfCluster = ['kubeconfig', 'ca', 'etcd', 'proxy', 'sa'];

/**
 * Returns references to the Secrets of a Cluster by their names, so that Secrets without the cluster name label are found too.
 */
function namedAfter({ kind, metadata: { namespace = '', name = '' } }: Observed): ObjectRef[] {
  if (kind !== 'Cluster') return [];
  return secretsOfCluster.map((purpose) => ({ group: '', kind: 'Secret', namespace, name: `${name}-${purpose}` }));
}

/** Resolves a reference. Returns undefined if the object does not exist or its kind is not served. */
export async function findObject(
  client: Client,
  target: ObjectRef,
  options: { readonly kinds?: Kinds; readonly signal?: AbortSignal | undefined } = {},
): Promise<Observed | undefined> {
  const resource = await (options.kinds ?? new Kinds(client, undefined)).resourceOf(target);
  if (resource === undefined) return undefined;
  const key = { namespace: resource.namespaced ? target.namespace : '', name: target.name };
  const object = await ifPresent(client.get(resource, key, { signal: options.signal }));
  return object?.kind === 'Secret' ? withoutData(object) : object;
}

/** The kinds that the server serves: from its CRDs, or from discovery if the user may not read CRDs. */
export class Kinds {
  readonly #client: Client;
  readonly #definitions: ReadonlyMap<string, Observed> | undefined;

  constructor(client: Client, definitions: readonly Observed[] | undefined) {
    this.#client = client;
    this.#definitions = definitions && new Map(definitions.map((one) => [one.metadata.name ?? '', one]));
  }

  /** Returns the kinds to list: those whose objects have the cluster name label, with `everything` also the others. */
  toList(everything: boolean): readonly Resource[] {
    const named = [...ofClusters, ...(everything ? [clusters, clusterClasses] : [])];
    const served = named.filter(({ group, plural }) => this.#definitions?.has(`${plural}.${group}`) ?? true);
    const known = new Set(served.map(({ group, plural }) => `${plural}.${group}`));
    const others = [...(this.#definitions?.keys() ?? [])].flatMap((name) =>
      known.has(name) ? [] : this.#byContract(name),
    );
    return [...served, ...others.filter(({ plural }) => everything || !plural.endsWith('templates'))];
  }

  #byContract(name: string): Resource[] {
    const version = contractVersionOf(this.#definitions?.get(name)?.metadata.labels)?.version;
    const dot = name.indexOf('.');
    const [plural, group] = [name.slice(0, dot), name.slice(dot + 1)];
    const isProvider = /(^|\.)(infrastructure|bootstrap|controlplane)\./.test(group);
    // The plural is used as the kind, because the CRD's metadata does not contain the kind. Listed objects contain their kind.
    return version === undefined || !isProvider ? [] : [{ group, version, kind: plural, plural, namespaced: true }];
  }

  async resourceOf({ group, kind }: Pick<ObjectRef, 'group' | 'kind'>): Promise<Resource | undefined> {
    const builtin = [secrets, configMaps, namespaces].find((one) => one.group === group && one.kind === kind);
    if (builtin !== undefined) return builtin;
    const name = definitionNameOf(group, kind);
    const definition = this.#definitions?.get(name);
    if (this.#definitions !== undefined && definition === undefined) return undefined;
    const version = contractVersionOf(definition?.metadata.labels)?.version;
    const plural = name.slice(0, -group.length - 1);
    if (version !== undefined) return { group, version, kind, plural, namespaced: true };
    return this.#client.resourceFor({ group, kind });
  }
}

async function readDefinitions(
  client: Client,
  signal: AbortSignal | undefined,
): Promise<readonly Observed[] | undefined> {
  try {
    const { items } = await client.list(customResourceDefinitions, { metadataOnly: true, signal });
    return items as readonly Observed[];
  } catch (error) {
    if (isReason(error, 'Forbidden')) return undefined;
    throw error;
  }
}

/** Returns no objects for a kind that is not served. */
async function listServed(client: Client, resource: Resource, query: object): Promise<readonly Observed[]> {
  try {
    return (await client.list(resource, query)).items;
  } catch (error) {
    if (isReason(error, 'NotFound')) return [];
    throw error;
  }
}

function withoutData({ apiVersion, kind, metadata, ...rest }: Observed): Observed {
  const type = (rest as Partial<KubeObject>)['type'];
  return { apiVersion, kind, metadata, ...(typeof type === 'string' && { type }) } as Observed;
}
