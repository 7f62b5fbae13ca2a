import type { Frozen, KubeObject } from '@slipway/kube';
import type { StorageKey, Store, StoredObject, StoreEvent, StoreWatch } from '../../contract/index.js';

/** A stored object that exists, was changed or was deleted. */
export interface Sighting {
  readonly key: StorageKey;
  readonly object: Frozen<KubeObject>;
  /** The previous state; absent for new objects and for those that existed at start. */
  readonly previous?: Frozen<KubeObject>;
  readonly gone: boolean;
}

/**
 * Delivers every object of a collection, then every change, without a gap. If a text is given, initial objects that do not
 * contain it are skipped without parsing them.
 */
export function follow(
  store: Store,
  resource: string,
  seen: (sighting: Sighting) => void,
  containing?: string,
): StoreWatch {
  const from = store.revision;
  for (const stored of store.list({ resource }))
    if (containing === undefined || stored.mayContain(containing)) seen(sightingOf(stored));
  return store.watch({ resource }, from, (event) => seen(sightingOfEvent(event)));
}

export function sightingOf(stored: StoredObject): Sighting {
  return {
    key: stored.key,
    // Parsed on access only: many followers need just the key.
    get object() {
      return stored.object;
    },
    gone: false,
  };
}

export function sightingOfEvent({ type, current, previous }: StoreEvent): Sighting {
  return {
    key: current.key,
    object: current.object,
    ...(previous === undefined ? {} : { previous: previous.object }),
    gone: type === 'DELETED',
  };
}

/** Formats a key as `namespace/name`. Neither part contains a slash. */
export function placeKey(key: { readonly namespace: string; readonly name: string }): string {
  return `${key.namespace}/${key.name}`;
}

export function splitPlaceKey(text: string): { readonly namespace: string; readonly name: string } {
  const slash = text.indexOf('/');
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
