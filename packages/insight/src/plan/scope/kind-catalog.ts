import { contractVersionOf } from '@slipway/cluster-api';
import { type CustomResourceDefinition, type Frozen, isReason, type KubeObject } from '@slipway/kube';
import {
  type Client,
  configMaps,
  customResourceDefinitions,
  ifPresent,
  type ListOptions,
  namespaces,
  type RequestOptions,
  type Resource,
  secrets,
} from '@slipway/runtime';
import type { ObjectRef, Observed } from '../../objects/index.js';
import { ownKinds, ownNames } from '../own-kinds.js';
import { isOfClusterApi, resourceOfDefinition } from '../read-state.js';

const plainKinds = [secrets, configMaps, namespaces] as readonly Resource[];

/** The kinds that a management cluster serves, and access to its objects. */
export class KindCatalog {
  readonly #client: Client;
  readonly #request: RequestOptions;
  readonly #byKind: ReadonlyMap<string, Resource>;
  /** CRDs of other providers. */
  readonly definitions: readonly Frozen<CustomResourceDefinition>[];
  /** All Cluster API kinds. */
  readonly kinds: readonly Resource[];

  private constructor(
    client: Client,
    request: RequestOptions,
    own: readonly Resource[],
    definitions: readonly Frozen<CustomResourceDefinition>[],
  ) {
    this.#client = client;
    this.#request = request;
    this.definitions = definitions;
    this.kinds = [...own, ...definitions.map(resourceOfDefinition)];
    this.#byKind = new Map([...plainKinds, ...this.kinds].map((one) => [`${one.group}/${one.kind}`, one]));
  }

  /** Reads the CRDs, completely only for other providers: CRDs are large, and metadata is sufficient for the built-in kinds. */
  static async read(client: Client, request: RequestOptions): Promise<KindCatalog> {
    const { items } = await client.list(customResourceDefinitions, { ...request, metadataOnly: true });
    const served = new Map(items.map(({ metadata }) => [metadata.name ?? '', metadata]));
    const own = ownKinds.flatMap(({ group, plural, kind, scope, storageVersion }): Resource[] => {
      const found = served.get(`${plural}.${group}`);
      const version = contractVersionOf(found?.labels)?.version ?? storageVersion;
      return found === undefined ? [] : [{ group, plural, kind, version, namespaced: scope === 'Namespaced' }];
    });
    const others = [...served.values()].filter((metadata) => {
      const { name = '' } = metadata;
      return !ownNames.has(name) && isOfClusterApi({ metadata, group: name.slice(name.indexOf('.') + 1) });
    });
    const found = await Promise.all(
      others.map(({ name = '' }) => ifPresent(client.get(customResourceDefinitions, { namespace: '', name }, request))),
    );
    const definitions = found.filter((one) => one !== undefined);
    return new KindCatalog(client, request, own, definitions);
  }

  /** Returns the resource of a Cluster API kind, Secret, ConfigMap or Namespace. Undefined for other kinds. */
  resourceOf({ group, kind }: Pick<ObjectRef, 'group' | 'kind'>): Resource | undefined {
    return this.#byKind.get(`${group}/${kind}`);
  }

  async get(resource: Resource, key: Pick<ObjectRef, 'namespace' | 'name'>): Promise<Observed | undefined> {
    const namespace = resource.namespaced ? key.namespace : '';
    return ifPresent(this.#client.get(resource, { namespace, name: key.name }, this.#request));
  }

  /** Lists objects. Returns none if the kind is not served: its CRD may have been deleted since the CRDs were listed. */
  async list(resource: Resource, options: ListOptions = {}): Promise<readonly Frozen<KubeObject>[]> {
    try {
      return (await this.#client.list(resource, { ...options, ...this.#request })).items;
    } catch (error) {
      if (isReason(error, 'NotFound')) return [];
      throw error;
    }
  }

  /** Returns whether an object exists whose kind is outside of Cluster API. */
  async exists(target: ObjectRef): Promise<boolean> {
    const resource = await this.#client.resourceFor({ group: target.group, kind: target.kind });
    return resource !== undefined && (await this.get(resource, target)) !== undefined;
  }
}
