import { setMaxListeners } from 'node:events';
import { type Clock, type Disposable, type Logger, type Random, silentLogger } from '@slipway/base';
import { deepFreeze, type Frozen, type KubeObject } from '@slipway/kube';
import type { Reader, Resource } from '../client/index.js';
import type { IndexFunction, Informer, WaitOptions } from './informer.js';
import { type CollectionScope, type ReflectorLimits, reflectorLimitsDefault } from './reflector.js';
import { SharedInformer, type Transform } from './shared-informer.js';

export interface InformerFactoryOptions {
  readonly client: Reader;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger?: Logger;
  readonly limits?: Partial<ReflectorLimits>;
  /** Default resync period of informers. */
  readonly resyncMs?: number;
}

export interface InformerOptions<T extends KubeObject> extends CollectionScope {
  /**
   * Whether to drop managedFields from cached objects, which are often half of an object. Has no effect if objects are shared
   * with the server.
   */
  readonly stripManagedFields?: boolean;
  /**
   * Transforms received objects, which are frozen, before they are cached. All users of the informer must pass the same
   * function.
   */
  readonly transform?: Transform<T>;
  readonly resyncMs?: number;
  readonly indexes?: Readonly<Record<string, IndexFunction<T>>>;
}

interface Entry {
  // An informer of any type. The resource that is the key determines the actual type.
  readonly informer: SharedInformer<KubeObject>;
  readonly transform: unknown;
}

/** Informers by collection: callers that request the same collection share the informer. */
export class InformerFactory implements Disposable {
  readonly #options: InformerFactoryOptions;
  readonly #entries = new Map<string, Entry>();
  #disposed = false;

  constructor(options: InformerFactoryOptions) {
    this.#options = options;
  }

  /** Returns the informer of a collection. Starts it on first use. */
  informer<T extends KubeObject>(resource: Resource<T>, options: InformerOptions<T> = {}): Informer<T> {
    if (this.#disposed) throw new Error('the informer factory is disposed');
    const key = keyOf(resource, options);
    const existing = this.#entries.get(key);
    if (existing !== undefined && existing.transform !== options.transform)
      throw new Error(`the informer of ${resource.plural} is shared and has another transform`);
    const informer = (existing?.informer as SharedInformer<T> | undefined) ?? this.#create(key, resource, options);
    for (const [name, index] of Object.entries(options.indexes ?? {})) informer.addIndex(name, index);
    return informer;
  }

  /** Returns the informer of a collection's metadata. Callers must not rely on other fields, although some servers send them. */
  metadataInformer(resource: Resource, options: InformerOptions<KubeObject> = {}): Informer {
    return this.informer(resource, { ...options, metadataOnly: true });
  }

  informers(): readonly Informer[] {
    return [...this.#entries.values()].map(({ informer }) => informer);
  }

  /** Resolves when all existing informers are synced. */
  async whenSynced(options: WaitOptions = {}): Promise<void> {
    // Each informer adds a listener to the signal. Disable Node's warning about more than ten listeners.
    if (options.signal !== undefined) setMaxListeners(0, options.signal);
    await Promise.all(this.informers().map((informer) => informer.whenSynced(options)));
  }

  async dispose(): Promise<void> {
    this.#disposed = true;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    await Promise.all(entries.map(({ informer }) => informer.dispose()));
  }

  #create<T extends KubeObject>(key: string, resource: Resource<T>, options: InformerOptions<T>): SharedInformer<T> {
    const { client, clock, random, logger = silentLogger, limits } = this.#options;
    const transform = transformOf(options, client.sharesObjects === true);
    const resyncMs = options.resyncMs ?? this.#options.resyncMs;
    const informer = new SharedInformer<T>({ client, clock, random, logger }, resource, {
      scope: scopeOf(options),
      limits: { ...reflectorLimitsDefault, ...limits },
      ...(transform === undefined ? {} : { transform }),
      ...(resyncMs === undefined ? {} : { resyncMs }),
    });
    const entry = { informer: informer as unknown as SharedInformer<KubeObject>, transform: options.transform };
    this.#entries.set(key, entry);
    informer.start();
    return informer;
  }
}

function scopeOf(options: CollectionScope): CollectionScope {
  const { namespace, labelSelector, fieldSelector, metadataOnly } = options;
  return { namespace, labelSelector, fieldSelector, ...(metadataOnly === true && { metadataOnly }) };
}

function keyOf<T extends KubeObject>(resource: Resource<T>, options: InformerOptions<T>): string {
  const { namespace = '', labelSelector = '', fieldSelector = '' } = options;
  const { stripManagedFields = false, metadataOnly = false } = options;
  const { group, version, plural } = resource;
  const scope = [namespace, labelSelector, fieldSelector];
  return JSON.stringify([group, version, plural, ...scope, stripManagedFields, metadataOnly]);
}

function transformOf<T extends KubeObject>(options: InformerOptions<T>, shared: boolean): Transform<T> | undefined {
  const { transform } = options;
  if (options.stripManagedFields !== true || shared) return transform;
  return transform === undefined ? withoutManagedFields : (object) => withoutManagedFields(transform(object));
}

function withoutManagedFields<T extends KubeObject>(object: Frozen<T>): Frozen<T> {
  if (object.metadata.managedFields === undefined) return object;
  const { managedFields: _managedFields, ...metadata } = object.metadata;
  return deepFreeze({ ...object, metadata }) as Frozen<T>;
}
