import type { Frozen, KubeObject } from '@slipway/kube';
import type { Resource } from '../client/index.js';
import type { Informer, InformerFactory, InformerOptions } from '../informer/index.js';
import type { Index, ObjectChange, Source, Sources } from './source.js';

export interface InformerSourcesOptions {
  /** Options of informers that have no entry in `perResource`. */
  readonly defaults?: InformerOptions<KubeObject>;
  /** Options by `plural.group`, such as a label selector for `secrets.`. */
  readonly perResource?: ReadonlyMap<string, InformerOptions<KubeObject>>;
}

/** Returns sources that are backed by shared informers. Stopping them disposes the factory. */
export function informerSources(factory: InformerFactory, options: InformerSourcesOptions = {}): Sources {
  const optionsOf = (resource: Resource): InformerOptions<KubeObject> =>
    options.perResource?.get(`${resource.plural}.${resource.group}`) ?? options.defaults ?? {};
  const informerOf = <T extends KubeObject>(resource: Resource<T>): Informer<T> =>
    factory.informer(resource, optionsOf(resource) as unknown as InformerOptions<T>);
  const placeOf = (resource: Resource): string => (resource.namespaced ? (optionsOf(resource).namespace ?? '') : '');
  // Cache the sources: reconciles request them often, always with the same constants.
  const cachedSources = new WeakMap<Resource, Source>();
  return {
    sourceFor<T extends KubeObject>(resource: Resource<T>): Source<T> {
      let source = cachedSources.get(resource) as unknown as Source<T> | undefined;
      if (source === undefined) {
        source = sourceOf(informerOf(resource), placeOf(resource));
        cachedSources.set(resource, source as unknown as Source);
      }
      return source;
    },
    // Nothing to do: informers start on first use.
    start: () => undefined,
    synced: (signal) => factory.whenSynced({ signal }),
    syncedFor: (resource, signal) => informerOf(resource).whenSynced({ signal }),
    stop: () => factory.dispose(),
  };
}

/** Returns the source of an informer. `namespace` is '' if the informer watches all namespaces. */
function sourceOf<T extends KubeObject>(informer: Informer<T>, namespace: string): Source<T> {
  return {
    get: (key) => informer.get(key),
    ...(namespace !== '' && { holds: (key) => key.namespace === namespace }),
    list: () => informer.list(),
    seenVersion: () => informer.status().resourceVersion,
    byIndex: (index: Index<T>, value) => {
      informer.addIndex(index.name, index.valuesOf);
      return informer.byIndex(index.name, value);
    },
    subscribe: (listener: (change: ObjectChange<T>) => void) =>
      informer.addHandler({
        added: (object: Frozen<T>, { initial }) => listener({ type: 'added', object, isInitial: initial }),
        updated: (object, previous) =>
          listener({ type: 'updated', object, previous, isInitial: isSame(object, previous) }),
        deleted: (object) => listener({ type: 'deleted', object, isInitial: false }),
      }),
  };
}

/** Returns whether an update is a resync, which reports the same object as old and new. */
function isSame(object: unknown, previous: unknown): boolean {
  return object === previous;
}
