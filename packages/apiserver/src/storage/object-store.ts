import type { Clock, Logger } from '@slipway/base';
import type { Journal } from './journal.js';
import { writeBackup } from './backup.js';
import { type BatchLimits, CommitQueue } from './commit-queue.js';
import { FormCache } from './form-cache.js';
import { History, type HistoryLimits, type VersionEvent } from './history.js';
import { listAt } from './list-at.js';
import { type LoadedJournal, loadJournal } from './load-journal.js';
import { PendingWrites } from './pending-writes.js';
import { ResourceIndex } from './resource-index.js';
import { RevisionWaiters } from './revision-waiters.js';
import { Compacted, RevisionMismatch, StorageUnavailable } from './errors.js';
import type { Commit, ListRange, Revision, StorageKey, Store, StoreEvent, StoreWatch } from '../contract/index.js';
import { TrimList } from './trim-list.js';
import { encodeUndo } from './undo.js';
import { Version } from './version.js';
import { VolatileJournal } from './volatile-journal.js';
import { Watcher, WatchHub, type WatchRange } from './watch-hub.js';

export interface StoreLimits {
  readonly history: HistoryLimits;
  readonly batch: BatchLimits;
  /**
   * Total size of versions that may be held both parsed and encoded. Beyond that, a durable store keeps only the encoded form,
   * which responses send and which takes a third of the memory; an in-memory store keeps only the parsed objects.
   */
  readonly secondFormBytes: number;
}

export interface ObjectStoreOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  readonly log: Logger;
  readonly limits: StoreLimits;
}

/** Keeps all objects in memory. A change becomes visible only after the journal committed it. */
export class ObjectStore implements Store {
  readonly #options: ObjectStoreOptions;
  readonly #clock: Clock;
  readonly #journal: Journal;
  readonly #cache: FormCache;
  readonly #resources = new Map<string, ResourceIndex>();
  readonly #pending = new PendingWrites();
  readonly #waiters = new RevisionWaiters();
  readonly #hub: WatchHub;
  readonly #history: History;
  readonly #trimList: TrimList;
  readonly #queue: CommitQueue;
  /** The newest assigned revision. Revisions of failed writes are not reused. */
  #assigned: Revision;
  #revision: Revision;
  #closing: Promise<void> | undefined;

  private constructor(options: ObjectStoreOptions, cache: FormCache, loaded: LoadedJournal) {
    this.#options = options;
    this.#clock = options.clock;
    this.#journal = options.journal;
    this.#cache = cache;
    this.#hub = new WatchHub(options.log);
    this.#history = new History(options.limits.history, loaded.compacted);
    this.#trimList = new TrimList(this.#history, loaded.useless);
    this.#queue = new CommitQueue(options.journal, options.limits.batch, this.#trimList);
    this.#revision = loaded.revision;
    this.#assigned = loaded.revision;
    for (const version of loaded.versions) this.#resource(version.key.resource).set(version);
    for (const event of loaded.events) {
      this.#history.push(event);
      const resource = this.#resource(event.current.key.resource);
      resource.lastChange = Math.max(resource.lastChange, event.revision);
    }
    this.#trimList.trim(this.#clock.now());
  }

  static async open(options: ObjectStoreOptions): Promise<ObjectStore> {
    const cache = new FormCache(options.limits.secondFormBytes, options.journal.durable ? 'record' : 'object');
    return new ObjectStore(options, cache, await loadJournal(options.journal, cache));
  }

  get revision(): Revision {
    return this.#revision;
  }

  get compactedRevision(): Revision {
    return this.#history.compacted;
  }

  get(key: StorageKey): Version | undefined {
    return this.#resources.get(key.resource)?.get(key.namespace, key.name);
  }

  list(range: ListRange): readonly Version[] {
    return this.#resources.get(range.resource)?.list(range) ?? [];
  }

  listAt(range: ListRange, revision: Revision): readonly Version[] {
    this.#checkHistory(revision);
    const index = this.#resources.get(range.resource);
    if (index === undefined) return [];
    return index.lastChange <= revision ? index.list(range) : listAt(index, this.#history, range, revision);
  }

  count(resource: string): number {
    return this.#resources.get(resource)?.size ?? 0;
  }

  async commit(change: Commit): Promise<Version> {
    const { key } = change;
    // Wait for a pending write of the same key: if it fails to commit, the state that the caller read is still current.
    for (let under = this.#pending.get(key); under !== undefined; under = this.#pending.get(key)) await under;
    if (this.#closing !== undefined) throw new StorageUnavailable(new Error('the store is closed'));
    const previous = this.get(key);
    const unchanged = (previous?.revision ?? 0) === change.expected;
    if (!unchanged || (previous === undefined && change.object === undefined)) throw new RevisionMismatch(key);
    return this.#submit(this.#eventOf(change, previous), change.publishing);
  }

  async checkWritable(): Promise<void> {
    if (this.#closing !== undefined) throw new StorageUnavailable(new Error('the store is closed'));
    await this.#queue.checkWritable(() => this.#revision);
  }

  waitFor(revision: Revision, signal: AbortSignal): Promise<void> {
    if (revision <= this.#revision) return Promise.resolve();
    if (this.#closing !== undefined) return Promise.reject(new StorageUnavailable(new Error('the store is closed')));
    return this.#waiters.wait(revision, signal);
  }

  watch(range: WatchRange, from: Revision, listener: (event: StoreEvent) => void): StoreWatch {
    this.#checkHistory(from);
    const watcher = new Watcher(range, from, listener, this.#hub);
    if ((this.#resources.get(range.resource)?.lastChange ?? 0) > from) {
      this.#history.forEachAfter(from, (event) => watcher.deliver(event));
    }
    this.#hub.add(watcher);
    return watcher;
  }

  /** Writes a snapshot of all objects to a file that `restoreBackup` reads. Other writes can continue. */
  backup(file: string): Promise<void> {
    return writeBackup(file, this.#revision, this.all());
  }

  /**
   * Returns an independent in-memory store that starts with the current state, at `revisionMin` or later. Objects are shared, not
   * copied.
   */
  fork(revisionMin: Revision = 0): ObjectStore {
    const revision = Math.max(this.#revision, revisionMin);
    const options = { ...this.#options, journal: new VolatileJournal() };
    return new ObjectStore(options, this.#cache, {
      revision,
      compacted: revision,
      versions: this.all(),
      events: [],
      useless: [],
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#queue.drained();
    this.#hub.clear();
    this.#waiters.rejectAll(new StorageUnavailable(new Error('the store is closed')));
    await this.#journal.close();
  }

  /** Returns all current objects, in no particular order. */
  all(): readonly Version[] {
    return [...this.#resources.values()].flatMap((index) => index.list({}));
  }

  #eventOf(change: Commit, previous: Version | undefined): VersionEvent {
    this.#assigned += 1;
    const revision = this.#assigned;
    const at = this.#clock.now();
    // Reuse the key of the stored object for all versions: the caller's key could keep a whole request in memory.
    const key = previous?.key ?? { ...change.key };
    const size = (previous === undefined || !this.#journal.durable ? 0 : previous.record.length) + 256;
    if (change.object === undefined) {
      const current = Version.ofDeletion(previous as Version, revision);
      return { type: 'DELETED', revision, at, current, previous: previous as Version, size };
    }
    const current = Version.ofObject(this.#cache, key, revision, change.object);
    if (previous === undefined) return { type: 'ADDED', revision, at, current, size };
    return { type: 'MODIFIED', revision, at, current, previous, size };
  }

  #submit(event: VersionEvent, publishing: Commit['publishing']): Promise<Version> {
    const { key } = event.current;
    const { durable } = this.#journal;
    const record = durable && event.type !== 'DELETED' ? event.current.record : undefined;
    const undo = durable ? encodeUndo(event.type, event.at, key, event.previous?.record) : undefined;
    const written = new Promise<Version>((resolve, reject) => {
      this.#queue.push({
        key,
        revision: event.revision,
        record,
        undo,
        size: (record?.length ?? 0) + (undo?.length ?? 0),
        published: () => {
          this.#pending.delete(key);
          publishing?.(event.current);
          this.#publish(event);
          resolve(event.current);
        },
        failed: (error) => {
          this.#pending.delete(key);
          reject(error);
        },
      });
    });
    this.#pending.set(key, written);
    return written;
  }

  #publish(event: VersionEvent): void {
    const { current, revision } = event;
    const resource = this.#resource(current.key.resource);
    if (event.type === 'DELETED') resource.delete(current.key.namespace, current.key.name, revision);
    else resource.set(current);
    this.#revision = revision;
    this.#history.push(event);
    this.#trimList.trim(this.#clock.now());
    this.#hub.publish(event);
    this.#waiters.reached(revision);
  }

  #checkHistory(revision: Revision): void {
    if (revision < this.#history.compacted) throw new Compacted(revision, this.#history.compacted);
  }

  #resource(resource: string): ResourceIndex {
    let index = this.#resources.get(resource);
    if (index === undefined) {
      index = new ResourceIndex();
      this.#resources.set(resource, index);
    }
    return index;
  }
}
