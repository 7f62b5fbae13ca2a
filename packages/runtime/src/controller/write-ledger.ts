import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';
import type { WriteResult } from '../change/index.js';
import type { Source, Sources } from './source.js';
import type { Watch } from './watch.js';

interface Written {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly uid: string | undefined;
  /** The resourceVersion after the write. Undefined for a deletion. */
  readonly version: string | undefined;
}

interface Page {
  readonly writes: readonly Written[];
  readonly writtenAt: number;
}

/**
 * How long to wait for a write that a cache may never show: because the object was deleted afterwards, or because the
 * resourceVersion of the cache is unknown. Also throttles controllers whose writes never appear in the cache.
 */
const patienceMs = 5_000;
/** How long to wait for a cache that reports an older version. A silent watch is detected and restarted within this time. */
const lagPatienceMs = 300_000;

/**
 * The writes of each key's last reconcile, until the caches have observed them. A reconcile that does not see its own previous
 * writes would create children twice.
 */
export class WriteLedger {
  readonly #watched: Set<string>;
  readonly #sources: Sources;
  readonly #pages = new Map<string, Page>();

  constructor(sources: Sources, watches: readonly Watch[]) {
    this.#sources = sources;
    this.#watched = new Set(watches.map(({ resource }) => nameOf(resource)));
  }

  /** Registers a resource whose watch has started. */
  add(resource: Resource): void {
    this.#watched.add(nameOf(resource));
  }

  close(text: string, writes: readonly WriteResult[], nowMs: number): void {
    const relevant = writes.filter((write) => this.#shows(write));
    if (relevant.length > 0) this.#pages.set(text, { writes: relevant.map(toWritten), writtenAt: nowMs });
  }

  /** Returns the kind whose cache has not observed a write of this key yet, or undefined if all have. */
  aheadOf(text: string, nowMs: number): string | undefined {
    const page = this.#pages.size === 0 ? undefined : this.#pages.get(text);
    if (page === undefined) return undefined;
    const age = nowMs - page.writtenAt;
    const unseen = page.writes.find((write) => age < this.#patienceFor(write));
    if (unseen === undefined) this.#pages.delete(text);
    return unseen?.resource.kind;
  }

  /** Returns whether a cache will observe the write. */
  #shows({ resource, key }: WriteResult): boolean {
    return this.#watched.has(nameOf(resource)) && this.#sources.sourceFor(resource).holds?.(key) !== false;
  }

  /** Returns how long after the write to wait for the cache. */
  #patienceFor(write: Written): number {
    const source = this.#sources.sourceFor(write.resource);
    if (this.#isSeen(write, source)) return 0;
    const seen = source.seenVersion?.();
    const isLagging = seen !== undefined && write.version !== undefined && !isAtLeast(seen, write.version);
    return isLagging ? lagPatienceMs : patienceMs;
  }

  #isSeen({ key, uid, version }: Written, source: Source): boolean {
    const cached = source.get(key);
    if (version === undefined) return cached === undefined || cached.metadata.uid !== uid || isDeleting(cached);
    return cached !== undefined && isAtLeast(cached.metadata.resourceVersion ?? '', version);
  }
}

function toWritten({ resource, key, object, isDeletion }: WriteResult): Written {
  const version = isDeletion ? undefined : object?.metadata.resourceVersion;
  return { resource, key, uid: object?.metadata.uid, version };
}

function isDeleting(object: Frozen<KubeObject>): boolean {
  return typeof object.metadata.deletionTimestamp === 'string';
}

/**
 * Returns whether a resourceVersion is at least the minimum. Versions that are not integers can only be compared for equality.
 */
function isAtLeast(version: string, minimum: string): boolean {
  if (version === minimum) return true;
  if (!/^[0-9]+$/.test(version) || !/^[0-9]+$/.test(minimum)) return false;
  return version.length === minimum.length ? version > minimum : version.length > minimum.length;
}

function nameOf(resource: Resource): string {
  return `${resource.plural}.${resource.group}`;
}
