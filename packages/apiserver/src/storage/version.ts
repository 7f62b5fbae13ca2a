import { deepFreeze, setKey } from '@slipway/kube';
import type { Frozen, KubeObject } from '@slipway/kube';
import type { FormCache } from './form-cache.js';
import { bodyStartOf, decodeObject, encodeObject, encodeRecord } from './record.js';
import type { Revision, StorageKey, StoredObject } from '../contract/index.js';

type Labels = Frozen<KubeObject>['metadata']['labels'];

/**
 * One version of an object, held as parsed object, as encoded record, or both. Each form is derived from the other on first
 * use: a store that was just opened holds records only, and FormCache evicts the second form of versions that hold both.
 * Encoding is deterministic, so re-encoding yields the same bytes.
 */
export class Version implements StoredObject {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** Set on each use of the form that the cache may evict; cleared by the cache's eviction scan. */
  recentlyUsed = false;
  #object: Frozen<KubeObject> | undefined;
  #record: Buffer | undefined;
  /** Labels of an evicted parsed object (null: no labels). They are kept, because lists by label check every object. */
  #labels: Labels | null;
  /** For a deletion: the version before it, from which the object is derived on first access. */
  #deleted: Version | undefined;
  readonly #cache: FormCache;

  private constructor(
    cache: FormCache,
    key: StorageKey,
    revision: Revision,
    object: Frozen<KubeObject> | undefined,
    record: Buffer | undefined,
  ) {
    this.#cache = cache;
    this.key = key;
    this.revision = revision;
    this.#object = object;
    this.#record = record;
  }

  /** Takes ownership of `object`: gives it the revision and freezes it. */
  static ofObject(cache: FormCache, key: StorageKey, revision: Revision, object: KubeObject): Version {
    const shaped = withResourceVersion(object, String(revision));
    return new Version(cache, key, revision, deepFreeze(shaped) as Frozen<KubeObject>, undefined);
  }

  static ofRecord(cache: FormCache, key: StorageKey, revision: Revision, record: Buffer): Version {
    return new Version(cache, key, revision, undefined, record);
  }

  /** The version that watchers of a deletion receive: the last state with the revision of the deletion. */
  static ofDeletion(previous: Version, revision: Revision): Version {
    const version = new Version(previous.#cache, previous.key, revision, undefined, undefined);
    version.#deleted = previous;
    return version;
  }

  get object(): Frozen<KubeObject> {
    if (this.#cache.kept === 'record') this.recentlyUsed = true;
    return this.#object ?? (this.#deleted === undefined ? this.#parse() : this.#lastState(this.#deleted));
  }

  get labels(): Labels {
    return this.#labels === undefined ? this.object.metadata.labels : (this.#labels ?? undefined);
  }

  get bytes(): Buffer {
    const record = this.record;
    return record.subarray(bodyStartOf(record));
  }

  /** Returns true without a search if the object is parsed: checking it is faster for the caller than searching the bytes. */
  mayContain(text: string): boolean {
    return this.#object !== undefined || this.#record === undefined || this.#record.includes(text);
  }

  /** The record: key, revision and JSON in the on-disk encoding. */
  get record(): Buffer {
    if (this.#cache.kept === 'object') this.recentlyUsed = true;
    if (this.#record !== undefined) return this.#record;
    // Keep a local reference: a small cache may evict this record immediately.
    const record = encodeRecord(this.key, this.revision, encodeObject(this.object));
    this.#record = record;
    this.#cache.admit(this, record.length);
    return record;
  }

  /** Drops the form that the cache does not keep. It is derived from the other form again when needed. */
  dropSecondForm(): void {
    if (this.#object === undefined || this.#record === undefined) return;
    if (this.#cache.kept === 'object') {
      this.#record = undefined;
      return;
    }
    this.#labels = this.#object.metadata.labels ?? null;
    this.#object = undefined;
  }

  #parse(): Frozen<KubeObject> {
    const record = this.#record as Buffer;
    const object = deepFreeze(decodeObject(record.toString('utf8', bodyStartOf(record)))) as Frozen<KubeObject>;
    this.#object = object;
    this.#cache.admit(this, record.length);
    return object;
  }

  #lastState(deleted: Version): Frozen<KubeObject> {
    const { metadata } = deleted.object;
    const object = { ...deleted.object, metadata: { ...metadata, resourceVersion: String(this.revision) } };
    this.#object = deepFreeze(object);
    this.#deleted = undefined;
    return object;
  }
}

/**
 * Returns the object with its resourceVersion set. `kind` and `apiVersion` come first, because stream readers dispatch on them;
 * the order of the rest is kept.
 */
function withResourceVersion(object: KubeObject, resourceVersion: string): KubeObject {
  const keys = Object.keys(object);
  const inOrder = keys[0] === 'kind' && keys[1] === 'apiVersion' && !Object.isFrozen(object);
  const shaped = inOrder ? object : reordered(object);
  if (Object.isFrozen(shaped.metadata)) shaped.metadata = { ...shaped.metadata, resourceVersion };
  else shaped.metadata.resourceVersion = resourceVersion;
  return shaped;
}

/**
 * Copies the object key by key, with `kind` and `apiVersion` first. Spreading the rest of an object takes longer than encoding
 * it.
 */
function reordered(object: KubeObject): KubeObject {
  const { kind, apiVersion } = object;
  const shaped: Omit<KubeObject, 'metadata'> = { kind, apiVersion };
  for (const key of Object.keys(object)) {
    if (key !== 'kind' && key !== 'apiVersion') setKey(shaped, key, object[key]);
  }
  return shaped as KubeObject;
}
