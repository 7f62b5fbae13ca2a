import type { Frozen, KubeObject } from '@slipway/kube';
import type { StorageKey, Store, StoredObject, StoreEvent, StoreWatch } from '../../contract/index.js';

/** A stored object that is there, was changed, or has just gone. */
export interface Sighting {
  readonly key: StorageKey;
  readonly object: Frozen<KubeObject>;
  /** The state before; absent for objects that are new, or were there at the start. */
  readonly previous?: Frozen<KubeObject>;
  readonly gone: boolean;
}

/**
 * Shows every object of a collection, and from then on every change, without a gap between the two. Of objects that are
 * there at the start only those are shown that may contain the text, when one is given: the others are not even parsed.
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
    // Looked up when it is looked at: many followers need no more than the key.
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

/** Namespaces have no slashes, names may not either: one text for both. */
export function placeKey(key: { readonly namespace: string; readonly name: string }): string {
  return `${key.namespace}/${key.name}`;
}

export function splitPlaceKey(text: string): { readonly namespace: string; readonly name: string } {
  const slash = text.indexOf('/');
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}
