import type { Store } from '@slipway/apiserver';
import type { Clock, Disposable, Random } from '@slipway/base';
import { type CustomResourceDefinition, deepFreeze, type Frozen } from '@slipway/kube';
import { type Client, customResourceDefinitions, ifPresent, InformerFactory } from '@slipway/runtime';

type Found = Pick<Frozen<CustomResourceDefinition>, 'metadata'>;

const { group, plural } = customResourceDefinitions;
const resource = `${group}/${plural}`;

/** Looks up a CRD by name in the store of the embedded server. */
export function findDefinition(store: Store, name: string): Found | undefined {
  return store.get({ resource, namespace: '', name })?.object;
}

/** Caches the metadata of the CRDs of an external cluster. Schemas are dropped, because they are large and not needed. */
export class DefinitionLookup implements Disposable {
  readonly #client: Client;
  readonly #factory: InformerFactory;

  constructor(dependencies: { readonly client: Client; readonly clock: Clock; readonly random: Random }) {
    this.#client = dependencies.client;
    this.#factory = new InformerFactory(dependencies);
  }

  /** Returns a CRD from the cache, or reads it from the API server if it is not cached yet. */
  find(name: string): Found | undefined | Promise<Found | undefined> {
    const key = { namespace: '', name };
    const informer = this.#factory.informer(customResourceDefinitions, { transform: metadataOnly });
    const cached = informer.get(key);
    if (cached !== undefined) return cached;
    return ifPresent(this.#client.get(customResourceDefinitions, key));
  }

  dispose(): Promise<void> {
    return this.#factory.dispose();
  }
}

function metadataOnly(definition: Frozen<CustomResourceDefinition>): Frozen<CustomResourceDefinition> {
  const { apiVersion, kind, metadata } = definition;
  const { managedFields: _managedFields, ...rest } = metadata;
  return deepFreeze({ apiVersion, kind, metadata: rest }) as Frozen<CustomResourceDefinition>;
}
