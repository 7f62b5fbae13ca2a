import { clusters, extensionConfigs, ipAddresses, labels } from '@slipway/cluster-api';
import { isReason } from '@slipway/kube';
import { configMaps, namespaces, type Resource, secrets } from '@slipway/runtime';
import { type ObjectRef, type Observed, refKey, referencesOf, refOf } from '../../objects/index.js';
import type { PlacedObject } from '../state.js';
import type { KindCatalog } from './kind-catalog.js';
import { secretPurposes } from './touched-clusters.js';

/** Up to this number, Clusters are selected by name. A longer label selector would not fit into a URL. */
const selectedMax = 40;
/** The maximum number of times that references are followed, for example from a Cluster to its ClusterClass to its templates. */
const roundsMax = 5;

export interface ReadClusters {
  readonly objects: readonly PlacedObject[];
  /** Keys of objects that exist but are not part of the simulation. */
  readonly known: readonly string[];
}

interface ManifestObjects {
  /** The existing objects that the manifest changes, in their current state. */
  readonly touched: readonly Observed[];
  /** The changed and new objects, in the state that the manifest specifies. */
  readonly planned: readonly Observed[];
  readonly unchanged: readonly Observed[];
  /** Whether the objects are deleted. */
  readonly isDelete: boolean;
}

/** Reads the objects of the Clusters, the objects that a manifest changes, and everything that they reference. */
export async function readClusters(
  catalog: KindCatalog,
  touched: ReadonlySet<string>,
  manifest: ManifestObjects,
): Promise<ReadClusters> {
  const reading = new Reading(catalog);
  for (const object of manifest.touched) reading.add(object);
  const byNamespace = new Map<string, string[]>();
  for (const cluster of touched) {
    const slash = cluster.indexOf('/');
    const namespace = cluster.slice(0, slash);
    byNamespace.set(namespace, [...(byNamespace.get(namespace) ?? []), cluster.slice(slash + 1)]);
  }
  await Promise.all([...byNamespace].map(([namespace, names]) => reading.readNamespace(namespace, names)));
  if (manifest.isDelete) await reading.readOwnedTemplates(manifest.touched);
  await reading.readShared(manifest.planned);
  await reading.check(manifest.unchanged);
  return reading.result();
}

class Reading {
  readonly #catalog: KindCatalog;
  readonly #found = new Map<string, PlacedObject>();
  readonly #known = new Set<string>();
  readonly #asked = new Set<string>();

  constructor(catalog: KindCatalog) {
    this.#catalog = catalog;
  }

  add(object: Observed): void {
    const resource = this.#catalog.resourceOf(refOf(object));
    if (resource === undefined) this.#known.add(refKey(refOf(object)));
    else this.#found.set(refKey(refOf(object)), { resource, object });
  }

  result(): ReadClusters {
    return { objects: [...this.#found.values()], known: [...this.#known] };
  }

  async readNamespace(namespace: string, names: readonly string[]): Promise<void> {
    const isSelected = names.length <= selectedMax;
    const wanted = new Set(names);
    const selector = isSelected ? { labelSelector: `${labels.clusterName} in (${names.join(',')})` } : {};
    const kinds = this.#catalog.kinds.filter(
      ({ namespaced, kind }) => namespaced && !kind.endsWith('Template') && kind !== clusters.kind,
    );
    const list = async (resource: Resource): Promise<void> => {
      for (const object of await this.#catalog.list(resource, { namespace, ...selector }))
        if (wanted.has(object.metadata.labels?.[labels.clusterName] ?? '')) this.add(object);
    };
    const getCluster = (name: string): Promise<void> => this.#get(clusters as unknown as Resource, { namespace, name });
    await Promise.all([...[...kinds, secrets as Resource, configMaps as Resource].map(list), ...names.map(getCluster)]);
    await Promise.all(
      names.flatMap((name) => secretPurposes.map((purpose) => this.#getSecret(namespace, name, purpose))),
    );
  }

  /**
   * Reads the namespaces, runtime extensions and referenced objects, and the IP addresses that other Clusters have taken from the
   * same pools.
   */
  async readShared(planned: readonly Observed[]): Promise<void> {
    const found = [...this.#found.values()].map(({ object }) => object);
    await this.#follow([...found, ...planned]);
    const all = [...this.#found.values()].map(({ object }) => object);
    const places = new Set([...all, ...planned].map(({ metadata }) => metadata.namespace ?? ''));
    const readNamespace = (name: string): Promise<void> => this.#get(namespaces as Resource, { namespace: '', name });
    await Promise.all([
      ...[...places].filter((name) => name !== '').map(readNamespace),
      this.#readExtensions(),
      this.#readAddresses(),
    ]);
  }

  /**
   * Reads the templates that deleted Clusters own: they are deleted too, including those that nothing references after a rollout.
   * Templates have no label with their Cluster, so the metadata of all templates of the namespace is listed.
   */
  async readOwnedTemplates(deleted: readonly Observed[]): Promise<void> {
    const owners = deleted.filter(({ kind }) => kind === clusters.kind).map(({ metadata }) => metadata);
    const places = new Set(owners.map(({ namespace = '' }) => namespace));
    const uids = new Set(owners.map(({ uid }) => uid));
    const templates = this.#catalog.kinds.filter(({ namespaced, kind }) => namespaced && kind.endsWith('Template'));
    const read = async (resource: Resource, namespace: string): Promise<void> => {
      const found = await this.#catalog.list(resource, { namespace, metadataOnly: true });
      const owned = found.filter(({ metadata }) => metadata.ownerReferences?.some(({ uid }) => uids.has(uid)));
      await Promise.all(owned.map(({ metadata }) => this.#get(resource, { namespace, name: metadata.name ?? '' })));
    };
    await Promise.all([...places].flatMap((namespace) => templates.map((resource) => read(resource, namespace))));
  }

  async #get(resource: Resource, key: Pick<ObjectRef, 'namespace' | 'name'>): Promise<void> {
    if (this.#found.has(refKey({ group: resource.group, kind: resource.kind, ...key }))) return;
    const object = await this.#catalog.get(resource, key);
    if (object !== undefined) this.add(object);
  }

  #getSecret(namespace: string, cluster: string, purpose: string): Promise<void> {
    return this.#get(secrets as Resource, { namespace, name: `${cluster}-${purpose}` });
  }

  /** Looks up whether the objects exist that the given objects reference, and that are not part of the simulation. */
  async check(objects: readonly Observed[]): Promise<void> {
    await Promise.all(
      objects.flatMap(referencesOf).map(async ({ target }) => {
        const key = refKey(target);
        if (this.#found.has(key) || this.#known.has(key)) return;
        const resource = this.#catalog.resourceOf(target);
        const exists =
          resource === undefined
            ? await this.#catalog.exists(target)
            : (await this.#catalog.get(resource, target)) !== undefined;
        if (exists) this.#known.add(key);
      }),
    );
  }

  async #follow(from: readonly Observed[]): Promise<void> {
    let newest = from;
    for (let round = 0; round < roundsMax && newest.length > 0; round += 1) {
      const before = new Set(this.#found.keys());
      await Promise.all(newest.flatMap((object) => referencesOf(object)).map(({ target }) => this.#resolve(target)));
      newest = [...this.#found].flatMap(([key, { object }]) => (before.has(key) ? [] : [object]));
    }
  }

  /**
   * Reads a referenced object. Of a Cluster, only its existence is checked: a reference must not make another Cluster part of the
   * plan.
   */
  async #resolve(target: ObjectRef): Promise<void> {
    const key = refKey(target);
    if (this.#found.has(key) || this.#asked.has(key)) return;
    this.#asked.add(key);
    const resource = this.#catalog.resourceOf(target);
    if (target.kind === clusters.kind && resource !== undefined) {
      if ((await this.#catalog.get(resource, target)) !== undefined) this.#known.add(key);
    } else if (resource !== undefined) await this.#get(resource, target);
    else if (await this.#catalog.exists(target)) this.#known.add(key);
  }

  async #readExtensions(): Promise<void> {
    const resource = this.#catalog.resourceOf(extensionConfigs);
    if (resource === undefined) return;
    try {
      for (const object of await this.#catalog.list(resource)) this.add(object);
    } catch (error) {
      if (!isReason(error, 'Forbidden')) throw error;
    }
  }

  async #readAddresses(): Promise<void> {
    const pools = [...this.#found.values()].filter(({ resource }) => resource.kind.endsWith('IPPool'));
    const resource = this.#catalog.resourceOf(ipAddresses);
    if (pools.length === 0 || resource === undefined) return;
    const isGlobal = pools.some(({ resource: { namespaced } }) => !namespaced);
    const places = isGlobal ? [''] : [...new Set(pools.map(({ object }) => object.metadata.namespace ?? ''))];
    const lists = await Promise.all(places.map((namespace) => this.#catalog.list(resource, { namespace })));
    for (const object of lists.flat()) {
      if (this.#found.has(refKey(refOf(object)))) continue;
      // Remove the owners, which are not part of the simulation: garbage collection would delete the address.
      const { ownerReferences: _owners, ...metadata } = object.metadata;
      this.add({ ...object, metadata } as Observed);
    }
  }
}
