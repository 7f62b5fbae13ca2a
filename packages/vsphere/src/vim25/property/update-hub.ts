import type { Disposable, Logger } from '@slipway/base';
import { type Clock, sleep } from '@slipway/base';
import { isFault, isOutage } from '../errors.js';
import { type Data, make, type ObjectRef } from '../schema/index.js';
import type { CallOptions, SoapSession } from '../session/soap-session.js';
import { Availability } from './availability.js';
import { keyOf } from './object-key.js';
import { ObjectList } from './object-list.js';
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
/** A server that is away may swallow what it is sent; one that is there makes a collector in no time. */
const setUpTimeoutMs = 30_000;
const retryMsFirst = 1000;
const retryMsMax = 30_000;

type Session = Pick<SoapSession, 'call' | 'content'>;

/**
 * Tells of changes to any number of objects by one property collector of its own and one waiting call. The default
 * collector of a session is not used: it allows one wait at a time and belongs to everybody. As that call breaks when the
 * server goes, it also tells of that, and asks alone until the server is back.
 */
export class UpdateHub {
  readonly #session: Session;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #watched = new Map<string, Watched>();
  #loop: { readonly stop: AbortController; readonly done: Promise<void> } | undefined;
  /** One list for each type, while a collector lives. */
  readonly #lists = new Map<string, ObjectList>();
  readonly #availability = new Availability();
  /** What could not be released while the server was away. */
  readonly #leftBehind: ObjectRef[] = [];

  constructor(session: Session, clock: Clock, logger: Logger) {
    this.#session = session;
    this.#clock = clock;
    this.#logger = logger;
  }

  /** How much is followed, and by how many. */
  get size(): number {
    return this.#watched.size + this.#availability.size;
  }

  /** Why vCenter cannot be used, while that is known: it is asked here from time to time, and nobody else has to. */
  get outage(): Error | undefined {
    return this.#availability.outage;
  }

  /** Calls `listener` when vCenter is lost, and when it is back, until disposed. */
  standBy(listener: () => void): Disposable {
    const subscription = this.#availability.subscribe(listener);
    this.#loop ??= this.#start();
    return subscription;
  }

  /** Calls `listener` with the state as it is and after every change, until disposed. */
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
    loop?.stop.abort(new Error('the watch of vCenter objects ends'));
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
        this.#logger.warn({ err: error, retryMs }, 'Watching vCenter objects failed');
        // Once is nothing: somebody in between may close a connection that is silent for long.
        if (failures > 1 || !isOutage(error)) this.#availability.set(isOutage(error) ? error : undefined);
        if (this.size === 0) {
          this.#end();
          return;
        }
        await sleep(this.#clock, retryMs, { signal }).catch(() => undefined);
      }
    }
  }

  /** With nobody left to tell there is no reason to go on. */
  #end(): void {
    this.#loop?.stop.abort(new Error('nothing is watched any more'));
    this.#loop = undefined;
    this.#availability.clear();
  }

  /** One life of a collector: made, asked for updates again and again, and destroyed. */
  async #follow(stop: AbortSignal, onSuccess: () => void): Promise<void> {
    const broken = new AbortController();
    const signal = AbortSignal.any([stop, broken.signal]);
    const options = { signal, timeoutMs: setUpTimeoutMs };
    const { propertyCollector } = await this.#session.content(options);
    const collector = await this.#session.call('CreatePropertyCollector', propertyCollector, {}, options);
    const made = [collector];
    const lists: ObjectList[] = [];
    try {
      // A filter for each list: the simulator forgets what a filter has shown when its list changes.
      for (const [type, paths] of Object.entries(followed)) {
        const list = await this.#createList(type, options, (error) => broken.abort(error));
        lists.push(list);
        made.push(list.view);
        const spec = filterOf(list.view, type, paths);
        await this.#session.call('CreateFilter', collector, { spec, partialUpdates: false }, options);
      }
      for (const { ref } of this.#watched.values()) this.#lists.get(ref.type)?.add(ref);
      // Nobody waits for that: it may be what the server does not answer for.
      void this.#release(this.#leftBehind.splice(0));
      await this.#receive(collector, signal, onSuccess);
    } catch (error) {
      // Later: each call to a server that is away may take as long as it may.
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
    // Empty: an object that is gone would fail the call, but when it is added later it is named as missing.
    const view = await this.#session.call('CreateListView', viewManager, { obj: [] }, options);
    const missing = (ref: ObjectRef): void => this.#tell(ref, {}, true);
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
      // Not at once: a task is watched for a moment, and the next one comes soon.
      if (updates === undefined && version !== undefined && this.size === 0) this.#end();
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

  async #release(refs: readonly ObjectRef[]): Promise<void> {
    for (const ref of refs) {
      const method = ref.type === 'PropertyCollector' ? 'DestroyPropertyCollector' : 'DestroyView';
      try {
        await this.#session.call(method, ref, {}, { timeoutMs: setUpTimeoutMs });
      } catch (error) {
        // With the session or the server gone, so is what it held.
        if (!isFault(error, 'ManagedObjectNotFound'))
          this.#logger.debug({ err: error }, 'Releasing a vCenter object failed');
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
