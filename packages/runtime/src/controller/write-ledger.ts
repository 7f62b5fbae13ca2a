import type { Frozen, KubeObject } from '@slipway/kube';
import type { ObjectKey, Resource } from '../client/index.js';
import type { WriteResult } from '../change/index.js';
import type { Source, Sources } from './source.js';
import type { Watch } from './watch.js';

interface Written {
  readonly resource: Resource;
  readonly key: ObjectKey;
  readonly uid: string | undefined;
  /** Undefined for a deletion. */
  readonly version: string | undefined;
}

interface Page {
  readonly writes: readonly Written[];
  readonly writtenAt: number;
}

/** For what never shows: made and deleted since, or in a cache that cannot tell how far it is. It also slows down whoever does so. */
const patienceMs = 5_000;
/** For a cache that says itself that it is not there yet. By then a watch that went silent was noticed and begun anew. */
const lagPatienceMs = 300_000;

/**
 * What each key's last reconcile wrote, until the caches have seen it. A reconcile that does not know its own writes would
 * create its children twice.
 */
export class WriteLedger {
  readonly #watched: Set<string>;
  readonly #sources: Sources;
  readonly #pages = new Map<string, Page>();

  constructor(sources: Sources, watches: readonly Watch[]) {
    this.#sources = sources;
    this.#watched = new Set(watches.map(({ resource }) => nameOf(resource)));
  }

  /** A resource that is watched from now on. */
  add(resource: Resource): void {
    this.#watched.add(nameOf(resource));
  }

  close(text: string, writes: readonly WriteResult[], nowMs: number): void {
    const relevant = writes.filter((write) => this.#shows(write));
    if (relevant.length > 0) this.#pages.set(text, { writes: relevant.map(toWritten), writtenAt: nowMs });
  }

  /** The kind whose cache has yet to see something that this key's reconcile wrote. */
  aheadOf(text: string, nowMs: number): string | undefined {
    const page = this.#pages.size === 0 ? undefined : this.#pages.get(text);
    if (page === undefined) return undefined;
    const age = nowMs - page.writtenAt;
    const unseen = page.writes.find((write) => age < this.#patienceFor(write));
    if (unseen === undefined) this.#pages.delete(text);
    return unseen?.resource.kind;
  }

  /** Whether there is a cache that will see it. */
  #shows({ resource, key }: WriteResult): boolean {
    return this.#watched.has(nameOf(resource)) && this.#sources.sourceFor(resource).holds?.(key) !== false;
  }

  /** How long after the write to wait for it. */
  #patienceFor(write: Written): number {
    const source = this.#sources.sourceFor(write.resource);
    if (this.#isSeen(write, source)) return 0;
    const seen = source.seenVersion?.();
    const isLagging = seen !== undefined && write.version !== undefined && !isAtLeast(seen, write.version);
    return isLagging ? lagPatienceMs : patienceMs;
  }

  #isSeen({ key, uid, version }: Written, source: Source): boolean {
    const cached = source.get(key);
    if (version === undefined) return cached === undefined || cached.metadata.uid !== uid || isLeaving(cached);
    return cached !== undefined && isAtLeast(cached.metadata.resourceVersion ?? '', version);
  }
}

function toWritten({ resource, key, object, isDeletion }: WriteResult): Written {
  const version = isDeletion ? undefined : object?.metadata.resourceVersion;
  return { resource, key, uid: object?.metadata.uid, version };
}

function isLeaving(object: Frozen<KubeObject>): boolean {
  return typeof object.metadata.deletionTimestamp === 'string';
}

/** Versions are whole numbers that grow; of others only equality can be said. */
function isAtLeast(version: string, wanted: string): boolean {
  if (version === wanted) return true;
  if (!/^[0-9]+$/.test(version) || !/^[0-9]+$/.test(wanted)) return false;
  return version.length === wanted.length ? version > wanted : version.length > wanted.length;
}

function nameOf(resource: Resource): string {
  return `${resource.plural}.${resource.group}`;
}
