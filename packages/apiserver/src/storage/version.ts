import { deepFreeze, setKey } from '@slipway/kube';
import type { Frozen, KubeObject } from '@slipway/kube';
import { bodyStartOf, decodeObject, encodeObject, encodeRecord } from './record.js';
import type { RecordCache } from './record-cache.js';
import type { Revision, StorageKey, StoredObject } from './store.js';

/**
 * One version of an object, held as parsed object, as record, or as both. Each is made from the other when it is first
 * asked for: a store that was just opened holds records only, and records of objects that nobody reads over HTTP are let go
 * (see RecordCache). Encoding is deterministic, so that the bytes are the same whenever they are made.
 */
export class Version implements StoredObject {
  readonly key: StorageKey;
  readonly revision: Revision;
  /** Set on each use of the bytes, cleared by the cache when it looks for records to let go. */
  recentlyUsed = false;
  #object: Frozen<KubeObject> | undefined;
  #record: Buffer | undefined;
  /** For a deletion: the state that was deleted, from which the object is made when somebody looks. */
  #deleted: Version | undefined;
  readonly #cache: RecordCache;

  private constructor(
    cache: RecordCache,
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
  static ofObject(cache: RecordCache, key: StorageKey, revision: Revision, object: KubeObject): Version {
    const shaped = withResourceVersion(object, String(revision));
    return new Version(cache, key, revision, deepFreeze(shaped) as Frozen<KubeObject>, undefined);
  }

  static ofRecord(cache: RecordCache, key: StorageKey, revision: Revision, record: Buffer): Version {
    return new Version(cache, key, revision, undefined, record);
  }

  /** What a deletion leaves for watchers: the last state, carrying the revision of the deletion. */
  static ofDeletion(previous: Version, revision: Revision): Version {
    const version = new Version(previous.#cache, previous.key, revision, undefined, undefined);
    version.#deleted = previous;
    return version;
  }

  get object(): Frozen<KubeObject> {
    return this.#object ?? (this.#deleted === undefined ? this.#parse() : this.#lastState(this.#deleted));
  }

  get bytes(): Buffer {
    const record = this.record;
    return record.subarray(bodyStartOf(record));
  }

  /** Key, revision and JSON as they stand on disk. */
  get record(): Buffer {
    this.recentlyUsed = true;
    if (this.#record !== undefined) return this.#record;
    // Held here as well: the cache may be so small that it lets go of this very record.
    const record = encodeRecord(this.key, this.revision, encodeObject(this.object));
    this.#record = record;
    this.#cache.admit(this, record.length);
    return record;
  }

  /** Lets the record go; it is made again from the object when needed. */
  dropRecord(): void {
    if (this.#object !== undefined) this.#record = undefined;
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

/** `kind` and `apiVersion` first, because readers of a stream decide by them; the rest in the order it came. */
function withResourceVersion(object: KubeObject, resourceVersion: string): KubeObject {
  const keys = Object.keys(object);
  const inOrder = keys[0] === 'kind' && keys[1] === 'apiVersion' && !Object.isFrozen(object);
  const shaped = inOrder ? object : reordered(object);
  if (Object.isFrozen(shaped.metadata)) shaped.metadata = { ...shaped.metadata, resourceVersion };
  else shaped.metadata.resourceVersion = resourceVersion;
  return shaped;
}

/** Key by key: spreading the rest of an object is slower than all of its encoding. */
function reordered(object: KubeObject): KubeObject {
  const { kind, apiVersion } = object;
  const shaped: Omit<KubeObject, 'metadata'> = { kind, apiVersion };
  for (const key of Object.keys(object)) {
    if (key !== 'kind' && key !== 'apiVersion') setKey(shaped, key, object[key]);
  }
  return shaped as KubeObject;
}
