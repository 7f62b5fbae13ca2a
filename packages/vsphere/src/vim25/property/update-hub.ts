import type { Disposable, Logger } from '@slipway/base';
import { type Clock, sleep } from '@slipway/base';
import { isFault, isOutage } from '../errors.js';
import { type Data, make, type ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/soap-session.js';
import { Availability } from './availability.js';
import { keyOf } from './object-key.js';
import { ObjectList } from './object-list.js';
import type { PropertyPath } from './property-types.js';

/** State of a watched object: its known properties, and whether it is deleted. */
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

/** Watched properties by object type. */
const followed: Readonly<Record<string, readonly PropertyPath[]>> = {
  VirtualMachine: ['name', 'runtime.powerState', 'guest.net', 'guest.toolsRunningStatus', 'runtime.host'],
  Task: ['info.state', 'info.error', 'info.result'],
};
/**
 * Duration of one long poll. A poll without updates still keeps the session alive. It is shorter than idle timeouts of proxies.
 */
const waitSeconds = 50;
const waitTimeoutMs = 90_000;
/** Timeout for creating a collector, which is fast. An unreachable server may drop the request without an error. */
const setUpTimeoutMs = 30_000;
const retryMsFirst = 1000;
const retryMsMax = 30_000;

type Session = Pick<SoapSession, 'call' | 'content'>;

/**
 * Reports changes of any number of objects with one dedicated property collector and one long poll. The default collector of
 * the session is not used, because it is shared and allows one wait at a time. The long poll also detects outages: the hub
 * reports them, and retries until the server recovers.
 */
export class UpdateHub {
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  #loop: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  /** One list view for each object type. Each collector has its own. */
  readonly #lists = new Map<string, ObjectList>();
  readonly #availability = new Availability();
  /** Server-side objects that could not be destroyed during an outage. */
  readonly #leftBehind: ObjectRef[] = [];

  constructor(session: Session, clock: Clock, logger: Logger) {
    this.#session = session;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** Number of watched objects and listeners. */
  get size(): number {
    return this.#watched.size + this.#availability.size;
  }

  /** Why vCenter is unavailable. The hub itself retries, so callers need not. */
  get outage(): Error | undefined {
    return this.#availability.outage;
  }

  /** Calls `listener` on outage and recovery of vCenter until disposed. */
  standBy(listener: () => void): Disposable {
    const subscription = this.#availability.subscribe(listener);
    this.#loop ??= this.#start();
    return subscription;
  }

  /** Calls `listener` with the current state and after every change until disposed. */
  watch(ref: ObjectRef, listener: Listener): Disposable {
    const key = keyOf(ref);
    let watched = this.#watched.get(key);
    if (watched === undefined) {
      watched = { ref, listeners: new Set(), state: undefined };
      this.#watched.set(key, watched);
      this.#lists.get(ref.type)?.add(ref);
    }
    watched.listeners.add(listener);
    const { state } = watched;
    if (state !== undefined) queueMicrotask(() => listener(state));
    this.#loop ??= this.#start();
    return { dispose: () => this.#unwatch(key, listener) };
  }

  async dispose(): Promise<void> {
    this.#watched.clear();
    this.#availability.clear();
    await this.#stop();
  }

  #unwatch(key: string, listener: Listener): void {
    const watched = this.#watched.get(key);
    if (watched === undefined || !watched.listeners.delete(listener) || watched.listeners.size > 0) return;
    this.#watched.delete(key);
    if (!(watched.state?.gone ?? false)) this.#lists.get(watched.ref.type)?.remove(watched.ref);
  }

  #start(): { readonly stop: AbortController; readonly done: Promise<void> } {
    const stop = new AbortController();
    return { stop, done: this.#run(stop.signal) };
  }

  async #stop(): Promise<void> {
    const loop = this.#loop;
    this.#loop = undefined;
    loop?.stop.abort(new Error('the watch of vCenter objects was stopped'));
    await loop?.done;
  }

  async #run(signal: AbortSignal): Promise<void> {
    let failures = 0;
    while (!signal.aborted) {
      try {
        await this.#follow(signal, () => {
          failures = 0;
          this.#availability.set(undefined);
        });
      } catch (error) {
        if (signal.aborted) return;
        failures += 1;
        const retryMs = Math.min(retryMsFirst * 2 ** (failures - 1), retryMsMax);
        this.#logger.warn({ err: error, retryMs }, 'Failed to watch vCenter objects');
        // Ignore the first failure: a proxy may have closed an idle connection.
        if (failures > 1 || !isOutage(error)) this.#availability.set(isOutage(error) ? error : undefined);
        if (this.size === 0) {
          this.#end();
          return;
        }
        await sleep(this.#clock, retryMs, { signal }).catch(() => undefined);
      }
    }
  }

  /** Stops the polling loop when nothing is watched. */
  #end(): void {
    this.#loop?.stop.abort(new Error('no object is watched'));
    this.#loop = undefined;
    this.#availability.clear();
  }

  /** Creates a collector, polls it for updates, and destroys it. */
  async #follow(stop: AbortSignal, onSuccess: () => void): Promise<void> {
    const broken = new AbortController();
    const signal = AbortSignal.any([stop, broken.signal]);
    const options = { signal, timeoutMs: setUpTimeoutMs };
    const { propertyCollector } = await this.#session.content(options);
    const collector = await this.#session.call('CreatePropertyCollector', propertyCollector, {}, options);
    const made = [collector];
    const lists: ObjectList[] = [];
    try {
      // Each list has its own filter: the simulator resets a filter when its list changes.
      for (const [type, paths] of Object.entries(followed)) {
        const list = await this.#createList(type, options, (error) => broken.abort(error));
        lists.push(list);
        made.push(list.view);
        const spec = filterOf(list.view, type, paths);
        await this.#session.call('CreateFilter', collector, { spec, partialUpdates: false }, options);
      }
      for (const { ref } of this.#watched.values()) this.#lists.get(ref.type)?.add(ref);
      // The result is not awaited, because the server may not respond.
      void this.#release(this.#leftBehind.splice(0));
      await this.#receive(collector, signal, onSuccess);
    } catch (error) {
      // The objects are destroyed later: calls to an unreachable server may run into their timeout.
      if (isOutage(error)) this.#leftBehind.push(...made.splice(0));
      throw error;
    } finally {
      for (const list of lists) list.close();
      await this.#release(made);
    }
  }

  async #createList(type: string, options: CallOptions, failure: (error: unknown) => void): Promise<ObjectList> {
    const { viewManager } = await this.#session.content(options);
    if (viewManager === undefined) throw new Error('the server has no view manager');
    // The view starts empty: with a deleted object this call would fail, but an object that is added later is reported as
    // missing.
    const view = await this.#session.call('CreateListView', viewManager, { obj: [] }, options);
    const missing = (ref: ObjectRef): void => this.#notify(ref, {}, true);
    const list = new ObjectList(view, this.#session, options, { missing, failure });
    this.#lists.set(type, list);
    return list;
  }

  async #receive(collector: ObjectRef, signal: AbortSignal, onSuccess: () => void): Promise<void> {
    let version: string | undefined;
    for (;;) {
      signal.throwIfAborted();
      const options = version === undefined ? { maxWaitSeconds: 0 } : { maxWaitSeconds: waitSeconds };
      const updates = await this.#wait(collector, { version: version ?? '', options }, signal);
      onSuccess();
      if (updates?.version !== undefined) version = updates.version;
      for (const { objectSet } of updates?.filterSet ?? []) for (const update of objectSet ?? []) this.#update(update);
      // The loop stops only after a poll without updates, because tasks are short-lived and the next one follows soon.
      if (updates === undefined && version !== undefined && this.size === 0) this.#end();
    }
  }

  #wait(
    collector: ObjectRef,
    parameters: { readonly version: string; readonly options: Data<'WaitOptions'> },
    signal: AbortSignal,
  ): Promise<Data<'UpdateSet'> | undefined> {
    // The collector belongs to the session: after a new login this call fails, and the loop creates another collector.
    return this.#session.call('WaitForUpdatesEx', collector, parameters, { signal, timeoutMs: waitTimeoutMs });
  }

  #update(update: Data<'ObjectUpdate'>): void {
    if (update.kind === 'leave') {
      this.#notify(update.obj, {}, true);
      return;
    }
    const changes: Record<string, unknown> = {};
    for (const { name, op, val } of update.changeSet ?? []) changes[name] = op === 'assign' ? val : undefined;
    this.#notify(update.obj, changes, false);
  }

  #notify(ref: ObjectRef, changes: Readonly<Record<string, unknown>>, gone: boolean): void {
    const watched = this.#watched.get(keyOf(ref));
    if (watched === undefined) return;
    const { state } = watched;
    const values = gone ? {} : { ...state?.values, ...changes };
    // A changed view reports all of its objects again, so unchanged ones are ignored.
    if (state !== undefined && state.gone === gone && sameValues(state.values, values)) return;
    watched.state = { ref: watched.ref, values, gone };
    for (const listener of watched.listeners) listener(watched.state);
  }

  async #release(refs: readonly ObjectRef[]): Promise<void> {
    for (const ref of refs) {
      const method = ref.type === 'PropertyCollector' ? 'DestroyPropertyCollector' : 'DestroyView';
      try {
        await this.#session.call(method, ref, {}, { timeoutMs: setUpTimeoutMs });
      } catch (error) {
        // Failures are only logged: if the session has ended or the server has restarted, the object no longer exists.
        if (!isFault(error, 'ManagedObjectNotFound'))
          this.#logger.debug({ err: error }, 'Failed to release a vCenter object');
      }
    }
  }
}

function filterOf(view: ObjectRef, type: string, pathSet: readonly string[]): Data<'PropertyFilterSpec'> {
  const traversal = make('TraversalSpec', { name: 'view', type: 'ListView', path: 'view', skip: false });
  return { propSet: [{ type, pathSet }], objectSet: [{ obj: view, skip: true, selectSet: [traversal] }] };
}

function sameValues(left: unknown, right: unknown): boolean {
  return JSON.stringify(left, writeLong) === JSON.stringify(right, writeLong);
}

function writeLong(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}` : value;
}
