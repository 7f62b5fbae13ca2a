import type { Clock, Timer } from '@slipway/base';
import { type Frozen, internalError, type KubeObject, StatusError, type JsonObject } from '@slipway/kube';
import { Compacted } from '../storage/index.js';
import type {
  Answer,
  Caller,
  Revision,
  StoredObject,
  StoreEvent,
  StoreWatch,
  WatchEvent,
  WatchOptions,
  WatchStream,
} from '../contract/index.js';
import { answerAtOnce, convertAllToServed } from './served-version.js';
import type { ServedResource } from './read.js';
import {
  checkVersionMatch,
  parseResourceVersion,
  tooOldResourceVersion,
  waitUntilVisible,
} from './resource-version.js';
import { parseSelection, type Selection } from './selection.js';

/** A watch with more pending events than this ends with 410 Gone; the client must list again. */
const pendingEventsMax = 10_000;
const bookmarkIntervalMs = 60_000;
/** Number of initial events per batch, so that a watch of a large collection never holds all of it in encoded form. */
const initialPortion = 500;

export async function watchObjects(
  served: ServedResource,
  caller: Caller,
  namespace: string,
  options: WatchOptions,
): Promise<WatchStream> {
  checkVersionMatch(options, true);
  const selection = parseSelection(served.definition, served.version, options);
  const requested = parseResourceVersion(options.resourceVersion, 'watch');
  const { store } = served.dependencies;
  const wantsState = options.sendInitialEvents ?? (requested === undefined || requested === 0);
  if (wantsState && requested !== undefined && requested > store.revision)
    await waitUntilVisible(served.dependencies, requested, caller.signal);
  const range = watchRange(served, namespace, selection);
  const stream = new ObjectWatch(served, selection, {
    bookmarks: options.allowBookmarks ?? false,
    endMarker: options.sendInitialEvents === true && options.allowBookmarks === true,
  });
  const from = wantsState || requested === undefined || requested === 0 ? store.revision : requested;
  const initial = wantsState
    ? store.list(range).filter((one) => range.name === undefined || one.key.name === range.name)
    : [];
  stream.start(range, from, initial);
  return stream;
}

interface WatchRange {
  readonly resource: string;
  readonly namespace?: string;
  readonly name?: string;
}

function watchRange(served: ServedResource, namespace: string, selection: Selection): WatchRange {
  const chosen = namespace === '' ? selection.namespace : namespace;
  return {
    resource: served.definition.storageResource,
    ...(chosen === undefined || chosen === '' ? {} : { namespace: chosen }),
    ...(selection.name === undefined ? {} : { name: selection.name }),
  };
}

const none: readonly WatchEvent[] = [];

class ObjectWatch implements WatchStream {
  readonly #served: ServedResource;
  readonly #selection: Selection;
  readonly #bookmarks: boolean;
  readonly #endMarker: boolean;
  readonly #clock: Clock;
  #initial: readonly StoredObject[] = [];
  #initialDone = 0;
  #markerDue = false;
  #startRevision: Revision = 0;
  #pending: StoreEvent[] = [];
  #failure: StatusError | undefined;
  #ended = false;
  #subscription: StoreWatch | undefined;
  #wake: (() => void) | undefined;
  #bookmarkTimer: Timer | undefined;
  #bookmarkDue = false;

  constructor(served: ServedResource, selection: Selection, options: { bookmarks: boolean; endMarker: boolean }) {
    this.#served = served;
    this.#selection = selection;
    this.#bookmarks = options.bookmarks;
    this.#endMarker = options.endMarker;
    this.#clock = served.dependencies.clock;
  }

  start(range: WatchRange, from: Revision, initial: readonly StoredObject[]): void {
    this.#initial = initial;
    this.#markerDue = this.#endMarker;
    this.#startRevision = from;
    try {
      this.#subscription = this.#served.dependencies.store.watch(range, from, (event) => this.#receive(event, from));
    } catch (error) {
      if (!(error instanceof Compacted)) throw error;
      this.#failure = tooOldResourceVersion(error);
      return;
    }
    this.#served.watches.add(this);
    if (this.#bookmarks) this.#scheduleBookmark();
  }

  async next(): Promise<readonly WatchEvent[] | undefined> {
    for (;;) {
      if (this.#failure !== undefined) return this.#fail(this.#failure);
      const batch = this.#nextAtOnce() ?? (await this.#nextWithConversion());
      if (batch.length > 0) return batch;
      if (this.#ended) return undefined;
      if (this.#busy()) continue;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #nextWithConversion(): Promise<readonly WatchEvent[]> {
    return this.#initialDone < this.#initial.length ? this.#nextInitial() : this.#nextBatch();
  }

  /**
   * Returns pending events without a promise, for nearly every event: it runs once per event and watcher, where a promise chain
   * would be costly. Returns undefined if the slow path is required.
   */
  #nextAtOnce(): readonly WatchEvent[] | undefined {
    const isPlain = this.#initialDone >= this.#initial.length && !this.#markerDue && !this.#bookmarkDue;
    if (!isPlain || this.#failure !== undefined) return undefined;
    const events = this.#pending;
    if (events.length === 0) return none;
    const batch: WatchEvent[] = [];
    for (const event of events) {
      const current = this.#atOnce(event.current);
      const previous = this.#selection.everything ? current : this.#atOnce(event.previous ?? event.current);
      if (current === undefined || previous === undefined) return undefined;
      const translated = this.#selection.everything
        ? { type: event.type, answer: current }
        : this.#selected(event, current, previous);
      if (translated !== undefined) batch.push(translated);
    }
    this.#pending = [];
    return batch;
  }

  #atOnce(stored: StoredObject): Answer | undefined {
    return answerAtOnce(this.#served.definition, this.#served.version, stored);
  }

  /** Whether there is something to send: initial or pending events, a bookmark or an error. */
  #busy(): boolean {
    const more = this.#initialDone < this.#initial.length || this.#pending.length > 0;
    return more || this.#markerDue || this.#bookmarkDue || this.#failure !== undefined;
  }

  dispose(): void {
    this.#ended = true;
    this.#release();
    this.#wakeUp();
  }

  #receive(event: StoreEvent, from: Revision): void {
    if (event.revision <= from) return;
    if (this.#pending.length >= pendingEventsMax) {
      this.#failure = tooOldResourceVersion(new Compacted(event.revision, event.revision));
      this.#release();
    } else {
      this.#pending.push(event);
    }
    this.#wakeUp();
  }

  async #nextInitial(): Promise<readonly WatchEvent[]> {
    const { definition, version } = this.#served;
    const portion = this.#initial.slice(this.#initialDone, this.#initialDone + initialPortion);
    this.#initialDone += portion.length;
    if (this.#initialDone >= this.#initial.length) {
      this.#initial = [];
      this.#initialDone = 0;
    }
    const answers = await convertAllToServed(definition, version, portion);
    const chosen = answers.filter((answer) => this.#selection.matches(answer));
    return chosen.map((answer): WatchEvent => ({ type: 'ADDED', answer }));
  }

  async #nextBatch(): Promise<WatchEvent[]> {
    const batch: WatchEvent[] = [];
    if (this.#markerDue) {
      this.#markerDue = false;
      batch.push({ type: 'BOOKMARK', resourceVersion: String(this.#startRevision), initialEventsEnd: true });
    }
    const events = this.#pending;
    this.#pending = [];
    if (events.length > 0) {
      try {
        await this.#translate(events, batch);
      } catch (error) {
        this.#failure = error instanceof StatusError ? error : internalError(String(error));
      }
    }
    if (this.#bookmarkDue && this.#pending.length === 0 && this.#failure === undefined) {
      this.#bookmarkDue = false;
      // Store events arrive synchronously on publication: if none is pending, every visible event was sent.
      const revision = Math.max(this.#served.dependencies.store.revision, this.#startRevision);
      batch.push({ type: 'BOOKMARK', resourceVersion: String(revision), initialEventsEnd: false });
    }
    return batch;
  }

  async #translate(events: readonly StoreEvent[], batch: WatchEvent[]): Promise<void> {
    const { definition, version } = this.#served;
    const current = await convertAllToServed(
      definition,
      version,
      events.map((event) => event.current),
    );
    if (this.#selection.everything) {
      for (const [index, event] of events.entries()) batch.push({ type: event.type, answer: current[index] as Answer });
      return;
    }
    const previous = await convertAllToServed(
      definition,
      version,
      events.map((event) => event.previous ?? event.current),
    );
    for (const [index, event] of events.entries()) {
      const translated = this.#selected(event, current[index] as Answer, previous[index] as Answer);
      if (translated !== undefined) batch.push(translated);
    }
  }

  /** Translates an event for a watch with a selector, which reports ADDED and DELETED when an object starts or stops matching. */
  #selected(event: StoreEvent, current: Answer, previous: Answer): WatchEvent | undefined {
    const matched = event.previous !== undefined && this.#selection.matches(previous);
    const matches = event.type !== 'DELETED' && this.#selection.matches(current);
    if (event.type === 'DELETED') return matched ? { type: 'DELETED', answer: current } : undefined;
    if (matches) return { type: matched ? 'MODIFIED' : 'ADDED', answer: current };
    if (!matched) return undefined;
    return { type: 'DELETED', answer: { object: withResourceVersion(previous.object, event.revision) } };
  }

  #fail(failure: StatusError): readonly WatchEvent[] | undefined {
    if (this.#ended) return undefined;
    this.#ended = true;
    this.#release();
    return [{ type: 'ERROR', status: failure.toStatus() as unknown as JsonObject }];
  }

  #scheduleBookmark(): void {
    this.#bookmarkTimer = this.#clock.setTimer(bookmarkIntervalMs, () => {
      this.#bookmarkDue = true;
      this.#wakeUp();
      this.#scheduleBookmark();
    });
  }

  #release(): void {
    this.#served.watches.delete(this);
    this.#subscription?.dispose();
    this.#bookmarkTimer?.cancel();
    this.#pending = [];
  }

  #wakeUp(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}

function withResourceVersion(object: Frozen<KubeObject>, revision: Revision): Frozen<KubeObject> {
  return { ...object, metadata: { ...object.metadata, resourceVersion: String(revision) } };
}
