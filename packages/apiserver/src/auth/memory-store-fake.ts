import type { Frozen, KubeObject } from '@slipway/kube';
import type {
  Commit,
  ListRange,
  Revision,
  StorageKey,
  Store,
  StoredObject,
  StoreEvent,
  StoreWatch,
} from '../contract/index.js';
import { RevisionMismatch } from '../storage/index.js';

type Listener = (event: StoreEvent) => void;

/** A minimal in-memory store for the tests in this directory. Keeps objects by key; watches have no history. */
export class FakeStore implements Store {
  readonly #objects = new Map<string, StoredObject>();
  readonly #listeners = new Set<{ resource: string; listener: Listener }>();
  revision: Revision = 1;
  readonly compactedRevision: Revision = 0;

  /** Writes the object without comparing revisions. */
  put(resource: string, object: object): StoredObject {
    const copy = structuredClone(object) as KubeObject;
    const key = { resource, namespace: copy.metadata.namespace ?? '', name: copy.metadata.name ?? '' };
    return this.#write(key, copy);
  }

  remove(resource: string, namespace: string, name: string): void {
    this.#write({ resource, namespace, name }, undefined);
  }

  get(key: StorageKey): StoredObject | undefined {
    return this.#objects.get(keyText(key));
  }

  list(range: ListRange): readonly StoredObject[] {
    return [...this.#objects.values()].filter(
      ({ key }) => key.resource === range.resource && (range.namespace ?? key.namespace) === key.namespace,
    );
  }

  listAt(range: ListRange): readonly StoredObject[] {
    return this.list(range);
  }

  count(resource: string): number {
    return this.list({ resource }).length;
  }

  commit(change: Commit): Promise<StoredObject> {
    const stored = this.#objects.get(keyText(change.key));
    if ((stored?.revision ?? 0) !== change.expected) return Promise.reject(new RevisionMismatch(change.key));
    return Promise.resolve(this.#write(change.key, change.object));
  }

  waitFor(): Promise<void> {
    return Promise.resolve();
  }

  watch(range: { readonly resource: string }, _from: Revision, listener: Listener): StoreWatch {
    const entry = { resource: range.resource, listener };
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  #write(key: StorageKey, object: KubeObject | undefined): StoredObject {
    this.revision += 1;
    const previous = this.#objects.get(keyText(key));
    const state = object ?? (previous?.object as KubeObject);
    const current: StoredObject = {
      mayContain: () => true,
      key,
      revision: this.revision,
      object: Object.freeze({
        ...state,
        metadata: { ...state.metadata, resourceVersion: String(this.revision) },
      }) as Frozen<KubeObject>,
      labels: state.metadata.labels,
      bytes: Buffer.alloc(0),
    };
    if (object === undefined) this.#objects.delete(keyText(key));
    else this.#objects.set(keyText(key), current);
    const type = object === undefined ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
    const event: StoreEvent = { type, revision: this.revision, current, ...(previous ? { previous } : {}) };
    for (const entry of this.#listeners) if (entry.resource === key.resource) entry.listener(event);
    return current;
  }
}

function keyText(key: StorageKey): string {
  return `${key.resource} ${key.namespace}/${key.name}`;
}
