import { deepFreeze, expired, type Frozen, type KubeObject, StatusError } from '@slipway/kube';
import type { Client, ListOptions, ObjectList, Resource, WatchEvent, WatchOptions } from '../client/index.js';

/** The scripted behaviour of the server for a call. */
export type Fault = 'refuse' | 'hang' | 'gone' | 'drop' | 'error-event' | 'short';

interface Change {
  readonly version: number;
  readonly event: Extract<WatchEvent<KubeObject>, { object: unknown }>;
}

/** One collection of a scripted server, for tests of informers. */
export class FakeCollection {
  readonly resource: Resource = { group: '', version: 'v1', kind: 'Thing', plural: 'things', namespaced: true };
  readonly calls: string[] = [];
  /** Selects the fault of each call. The call succeeds if this is absent or returns undefined. */
  faultFor: (call: 'list' | 'watch' | 'stream', number: number) => Fault | undefined = () => undefined;
  streams = true;
  duplicates = false;
  #objects = new Map<string, Frozen<KubeObject>>();
  #history: Change[] = [];
  #version = 1;
  #oldest = 0;
  readonly #watchers = new Set<() => void>();
  readonly #ends = new Set<() => void>();
  readonly #bookmarks = new Set<() => void>();

  get objects(): readonly Frozen<KubeObject>[] {
    return [...this.#objects.values()];
  }

  get openWatches(): number {
    return this.#watchers.size;
  }

  set(name: string, value: number, uid = name): Frozen<KubeObject> {
    this.#version += 1;
    const metadata = { name, namespace: 'a', uid, resourceVersion: String(this.#version) };
    const object = deepFreeze({ apiVersion: 'v1', kind: 'Thing', metadata, value }) as Frozen<KubeObject>;
    this.#record(this.#objects.has(name) ? 'MODIFIED' : 'ADDED', object);
    this.#objects.set(name, object);
    return object;
  }

  remove(name: string): void {
    const known = this.#objects.get(name);
    if (known === undefined) return;
    this.#version += 1;
    this.#objects.delete(name);
    const metadata = { ...known.metadata, resourceVersion: String(this.#version) };
    this.#record('DELETED', deepFreeze({ ...known, metadata }) as Frozen<KubeObject>);
  }

  /** Compacts the history. Watches from before this point get a 410 response. */
  compact(): void {
    this.#history = [];
    this.#oldest = this.#version;
  }

  /** Simulates a restore from a backup: the same collection at an earlier resourceVersion. */
  rewind(version: number): void {
    this.#version = version;
    this.#history = [];
    this.#oldest = 0;
  }

  /** Ends open watches cleanly, as a server does after some minutes. */
  endWatches(): void {
    for (const end of this.#ends) end();
  }

  bookmark(): void {
    for (const send of this.#bookmarks) send();
  }

  client(): Client {
    const partial: Pick<Client, 'list' | 'watch'> = {
      list: <T extends KubeObject>(_resource: Resource<T>, options: ListOptions = {}) =>
        this.#list(options) as Promise<unknown> as Promise<ObjectList<T>>,
      watch: <T extends KubeObject>(_resource: Resource<T>, options: WatchOptions = {}) =>
        this.#watch(options) as AsyncIterable<readonly WatchEvent<T>[]>,
    };
    return partial as Client;
  }

  #record(type: 'ADDED' | 'MODIFIED' | 'DELETED', object: Frozen<KubeObject>): void {
    this.#history.push({ version: this.#version, event: { type, object } });
    for (const wake of this.#watchers) wake();
  }

  async #list(options: ListOptions): Promise<ObjectList<KubeObject>> {
    this.calls.push('list');
    const fault = this.faultFor('list', this.calls.length);
    if (fault === 'hang') await hang(options.signal);
    if (fault === 'gone') throw expired('too old');
    if (fault !== undefined) throw refused();
    const all = this.objects;
    const from = Number(options.continue ?? 0);
    const to = from + (options.limit ?? all.length);
    const page = { items: all.slice(from, to), resourceVersion: String(this.#version) };
    return to < all.length ? { ...page, continue: String(to) } : page;
  }

  async *#watch(options: WatchOptions): AsyncGenerator<readonly WatchEvent<KubeObject>[]> {
    const kind = options.sendInitialEvents === true ? 'stream' : 'watch';
    this.calls.push(kind);
    const fault = this.faultFor(kind, this.calls.length);
    if (fault === 'refuse') throw refused();
    if (fault === 'short') return;
    if (fault === 'error-event') {
      yield [{ type: 'ERROR', status: refused().toStatus() }];
      return;
    }
    if (fault === 'hang') return await hang(options.signal).catch(() => undefined);
    if (kind === 'stream' && !this.streams)
      throw new StatusError({ code: 422, reason: 'Invalid', message: 'sendInitialEvents is forbidden' });
    options.onOpen?.();
    let sent = Number(options.resourceVersion ?? this.#version);
    if (fault === 'gone' || (kind === 'watch' && sent < this.#oldest)) {
      yield [{ type: 'ERROR', status: expired('too old resource version').toStatus() }];
      return;
    }
    if (kind === 'stream') {
      sent = this.#version;
      yield this.objects.map((object) => ({ type: 'ADDED' as const, object }));
      if (fault === 'drop') throw new StatusError({ code: 503, reason: 'ServiceUnavailable', message: 'cut off' });
      yield [{ type: 'BOOKMARK', resourceVersion: String(sent), initialEventsEnd: true }];
    }
    yield* this.#live(sent, options.signal, fault === 'drop');
  }

  async *#live(
    from: number,
    signal: AbortSignal | undefined,
    drop: boolean,
  ): AsyncGenerator<readonly WatchEvent<KubeObject>[]> {
    let sent = from;
    let ended = false;
    let bookmarkDue = false;
    let wake: () => void = () => undefined;
    const end = (): void => {
      ended = true;
      wake();
    };
    const bookmark = (): void => {
      bookmarkDue = true;
      wake();
    };
    const onChange = (): void => wake();
    this.#watchers.add(onChange);
    this.#ends.add(end);
    this.#bookmarks.add(bookmark);
    signal?.addEventListener('abort', end, { once: true });
    try {
      while (!ended && signal?.aborted !== true) {
        if (sent < this.#oldest) {
          yield [{ type: 'ERROR', status: expired('too old resource version').toStatus() }];
          return;
        }
        const fresh = this.#history.filter((change) => change.version > sent);
        if (fresh.length > 0) {
          if (drop) throw new StatusError({ code: 503, reason: 'ServiceUnavailable', message: 'cut off' });
          sent = fresh.at(-1)?.version ?? sent;
          const events = fresh.map((change) => change.event);
          yield this.duplicates ? [...events, ...events] : events;
        } else if (bookmarkDue) {
          bookmarkDue = false;
          yield [{ type: 'BOOKMARK', resourceVersion: String(Math.max(sent, this.#version)), initialEventsEnd: false }];
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      this.#watchers.delete(onChange);
      this.#ends.delete(end);
      this.#bookmarks.delete(bookmark);
      signal?.removeEventListener('abort', end);
    }
  }
}

function refused(): StatusError {
  return new StatusError({ code: 500, reason: 'InternalError', message: 'not today' });
}

function hang(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
