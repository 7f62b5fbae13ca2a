import type { Disposable, Logger } from '@slipway/base';
import { type Clock, sleep } from '@slipway/base';
import { isFault } from '../errors.js';
import { type Data, make, type ObjectRef } from '../schema/index.js';
import type { SoapSession } from '../session/soap-session.js';
import type { PropertyPath } from './property-types.js';

/** What is known of a watched object: its properties so far, or that it is gone. */
export interface ObjectState {
  readonly ref: ObjectRef;
  readonly values: Readonly<Record<string, unknown>>;
  readonly gone: boolean;
}

type Listener = (state: ObjectState) => void;

interface Watched {
  readonly ref: ObjectRef;
  readonly listeners: Set<Listener>;
  state: ObjectState | undefined;
}

/** Which properties are followed, by the type of the object. */
const followed: Readonly<Record<string, readonly PropertyPath[]>> = {
  VirtualMachine: ['name', 'runtime.powerState', 'guest.net', 'guest.toolsRunningStatus', 'runtime.host'],
  Task: ['info.state', 'info.error', 'info.result'],
};
/** A wait that ends empty keeps the session alive; it is shorter than what proxies allow an idle connection. */
const waitSeconds = 50;
const waitTimeoutMs = 90_000;
const retryMsFirst = 1000;
const retryMsMax = 30_000;

/**
 * Tells of changes to any number of objects by one property collector of its own, one view and one waiting call. The default
 * collector of a session is not used: it allows one wait at a time and belongs to everybody.
 */
export class UpdateHub {
  readonly #session: SoapSession;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  #loop: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  #view: ObjectRef | undefined;
  readonly #pending = { add: new Map<string, ObjectRef>(), remove: new Map<string, ObjectRef>() };
  #flushing = false;

  constructor(session: SoapSession, clock: Clock, logger: Logger) {
    this.#session = session;
    this.#clock = clock;
    this.#logger = logger;
  }

  get size(): number {
    return this.#watched.size;
  }

  /** Calls `listener` with the state as it is and after every change, until disposed. */
  watch(ref: ObjectRef, listener: Listener): Disposable {
    const key = keyOf(ref);
    let watched = this.#watched.get(key);
    if (watched === undefined) {
      watched = { ref, listeners: new Set(), state: undefined };
      this.#watched.set(key, watched);
      this.#change('add', key, ref);
    }
    watched.listeners.add(listener);
    const { state } = watched;
    if (state !== undefined) queueMicrotask(() => listener(state));
    this.#loop ??= this.#start();
    return { dispose: () => this.#unwatch(key, listener) };
  }

  async dispose(): Promise<void> {
    this.#watched.clear();
    await this.#stop();
  }

  #unwatch(key: string, listener: Listener): void {
    const watched = this.#watched.get(key);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0) return;
    this.#watched.delete(key);
    if (!(watched.state?.gone ?? false)) this.#change('remove', key, watched.ref);
  }

  #change(verb: 'add' | 'remove', key: string, ref: ObjectRef): void {
    this.#pending[verb === 'add' ? 'remove' : 'add'].delete(key);
    this.#pending[verb].set(key, ref);
    this.#flush();
  }

  /** Changes that arrive together, or during a call, go into one call. */
  #flush(): void {
    const view = this.#view;
    if (view === undefined || this.#flushing) return;
    this.#flushing = true;
    void this.#flushAll(view);
  }

  async #flushAll(view: ObjectRef): Promise<void> {
    const { add, remove } = this.#pending;
    try {
      await Promise.resolve();
      while (this.#view === view && add.size + remove.size > 0) {
        const parameters = { add: [...add.values()], remove: [...remove.values()] };
        add.clear();
        remove.clear();
        const unresolved = await this.#session.call('ModifyListView', view, parameters);
        for (const ref of unresolved) this.#tell(ref, {}, true);
      }
    } catch (error) {
      // The loop meets the same trouble and builds everything anew.
      this.#logger.debug({ err: error }, 'Changing the view of watched objects failed');
    }
    this.#flushing = false;
    // Another view may have come meanwhile, with changes of its own.
    if (this.#view !== view) this.#flush();
  }

  #start(): { readonly stop: AbortController; readonly done: Promise<void> } {
    const stop = new AbortController();
    return { stop, done: this.#run(stop.signal) };
  }

  async #stop(): Promise<void> {
    const loop = this.#loop;
    this.#loop = undefined;
    loop?.stop.abort(new Error('the watch of vCenter objects ends'));
    await loop?.done;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let retryMs = retryMsFirst;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => {
          retryMs = retryMsFirst;
        });
      } catch (error) {
        if (signal.aborted) return;
        this.#logger.warn({ err: error, retryMs }, 'Watching vCenter objects failed');
        await sleep(this.#clock, retryMs, { signal }).catch(() => undefined);
        retryMs = Math.min(retryMs * 2, retryMsMax);
      }
    }
  }

  /** One life of a collector: made, asked for updates again and again, and destroyed. */
  async #follow(signal: AbortSignal, onSuccess: () => void): Promise<void> {
    const { propertyCollector, viewManager } = await this.#session.content({ signal });
    if (viewManager === undefined) throw new Error('the server has no view manager');
    this.#pending.add.clear();
    this.#pending.remove.clear();
    const obj = [...this.#watched.values()].map(({ ref }) => ref);
    const collector = await this.#session.call('CreatePropertyCollector', propertyCollector, {}, { signal });
    try {
      // An object that is gone would fail the making of the view; adding it names it as unresolved.
      const view = await this.#session.call('CreateListView', viewManager, { obj: [] }, { signal });
      try {
        await this.#session.call(
          'CreateFilter',
          collector,
          { spec: filterOf(view), partialUpdates: false },
          { signal },
        );
        this.#view = view;
        for (const ref of obj) this.#pending.add.set(keyOf(ref), ref);
        this.#flush();
        await this.#receive(collector, signal, onSuccess);
      } finally {
        if (this.#view === view) this.#view = undefined;
        await this.#destroy(() => this.#session.call('DestroyView', view, {}));
      }
    } finally {
      await this.#destroy(() => this.#session.call('DestroyPropertyCollector', collector, {}));
    }
  }

  async #receive(collector: ObjectRef, signal: AbortSignal, onSuccess: () => void): Promise<void> {
    let version: string | undefined;
    while (!signal.aborted) {
      const options = version === undefined ? { maxWaitSeconds: 0 } : { maxWaitSeconds: waitSeconds };
      const updates = await this.#wait(collector, { version: version ?? '', options }, signal);
      onSuccess();
      if (updates?.version !== undefined) version = updates.version;
      for (const { objectSet } of updates?.filterSet ?? []) for (const update of objectSet ?? []) this.#update(update);
      // Not at once: a task is watched for a moment, and the next one comes soon.
      if (updates === undefined && version !== undefined && this.#watched.size === 0) {
        this.#loop?.stop.abort(new Error('nothing is watched any more'));
        this.#loop = undefined;
      }
    }
  }

  #wait(
    collector: ObjectRef,
    parameters: { readonly version: string; readonly options: Data<'WaitOptions'> },
    signal: AbortSignal,
  ): Promise<Data<'UpdateSet'> | undefined> {
    // The collector belongs to the session: after a new login it is gone, and the loop starts anew.
    return this.#session.call('WaitForUpdatesEx', collector, parameters, { signal, timeoutMs: waitTimeoutMs });
  }

  #update(update: Data<'ObjectUpdate'>): void {
    if (update.kind === 'leave') {
      this.#tell(update.obj, {}, true);
      return;
    }
    const changes: Record<string, unknown> = {};
    for (const { name, op, val } of update.changeSet ?? []) changes[name] = op === 'assign' ? val : undefined;
    this.#tell(update.obj, changes, false);
  }

  #tell(ref: ObjectRef, changes: Readonly<Record<string, unknown>>, gone: boolean): void {
    const watched = this.#watched.get(keyOf(ref));
    if (watched === undefined) return;
    const { state } = watched;
    const values = gone ? {} : { ...state?.values, ...changes };
    // A view that was changed reports all of its objects anew.
    if (state !== undefined && state.gone === gone && sameValues(state.values, values)) return;
    watched.state = { ref: watched.ref, values, gone };
    for (const listener of watched.listeners) listener(watched.state);
  }

  async #destroy(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      // With the session or the server gone, so is what it held.
      if (!isFault(error, 'ManagedObjectNotFound'))
        this.#logger.debug({ err: error }, 'Releasing a vCenter object failed');
    }
  }
}

function filterOf(view: ObjectRef): Data<'PropertyFilterSpec'> {
  const traversal = make('TraversalSpec', { name: 'view', type: 'ListView', path: 'view', skip: false });
  return {
    propSet: Object.entries(followed).map(([type, pathSet]) => ({ type, pathSet })),
    objectSet: [{ obj: view, skip: true, selectSet: [traversal] }],
  };
}

export function keyOf({ type, value }: ObjectRef): string {
  return `${type}:${value}`;
}

function sameValues(left: unknown, right: unknown): boolean {
  return JSON.stringify(left, writeLong) === JSON.stringify(right, writeLong);
}

function writeLong(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}
