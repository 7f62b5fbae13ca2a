import type { Clock, Disposable, Timer } from '@slipway/base';
import type { Store, StoredObject, StoreEvent, StoreWatch } from '../../contract/index.js';
import { type Sighting, sightingOf, sightingOfEvent } from '../shared/index.js';

/** Number of objects that are delivered synchronously at start. Further objects must not delay the start of the server. */
const atOnceMax = 1_000;
/** Duration of one time slice, in which further objects are delivered. */
const portionMs = 5;
/** Number of objects that are delivered between two clock readings. */
const objectsBetweenChecks = 20;

export interface IncrementalFollowerOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly seen: (sighting: Sighting) => void;
  /** Whether to deliver this object, which existed at start. */
  readonly concerns: (stored: StoredObject) => boolean;
  /** Called when all initial objects, and all changes since the start, were delivered. */
  readonly caughtUp: () => void;
}

interface Backlog {
  readonly objects: readonly StoredObject[];
  next: number;
  /** Changes of the collection during initial delivery; delivered after the objects, in order. */
  readonly events: StoreEvent[];
}

/**
 * Follows collections like `follow`, in the same order and without a gap, but delivers initial objects in time slices. While
 * `behind` is true, the delivered state is incomplete.
 */
export class IncrementalFollower implements Disposable {
  readonly #options: IncrementalFollowerOptions;
  readonly #backlogs = new Set<Backlog>();
  #atOnce = atOnceMax;
  #timer: Timer | undefined;

  constructor(options: IncrementalFollowerOptions) {
    this.#options = options;
  }

  get behind(): boolean {
    return this.#backlogs.size > 0;
  }

  follow(resource: string): StoreWatch {
    const { store } = this.#options;
    const backlog: Backlog = { objects: store.list({ resource }), next: 0, events: [] };
    this.#backlogs.add(backlog);
    const watch = store.watch({ resource }, store.revision, (event) => {
      if (this.#backlogs.has(backlog)) backlog.events.push(event);
      else this.#options.seen(sightingOfEvent(event));
    });
    const quick = Math.min(this.#atOnce, backlog.objects.length);
    this.#atOnce -= quick;
    this.#show(backlog, quick);
    this.#schedule();
    return {
      dispose: () => {
        watch.dispose();
        if (this.#backlogs.delete(backlog)) this.#finishIfDone();
      },
    };
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#backlogs.clear();
  }

  #schedule(): void {
    if (!this.behind || this.#timer !== undefined) return;
    this.#timer = this.#options.clock.setTimer(0, () => {
      this.#timer = undefined;
      this.#showPortion();
      this.#finishIfDone();
      this.#schedule();
    });
  }

  #showPortion(): void {
    const { clock } = this.#options;
    const end = clock.monotonic() + portionMs;
    for (const backlog of this.#backlogs) {
      while (this.#backlogs.has(backlog)) {
        this.#show(backlog, objectsBetweenChecks);
        if (clock.monotonic() >= end) return;
      }
    }
  }

  #show(backlog: Backlog, count: number): void {
    const { seen, concerns } = this.#options;
    const end = Math.min(backlog.next + count, backlog.objects.length);
    for (; backlog.next < end; backlog.next += 1) {
      const stored = backlog.objects[backlog.next] as StoredObject;
      if (concerns(stored)) seen(sightingOf(stored));
    }
    if (end < backlog.objects.length) return;
    for (const event of backlog.events) seen(sightingOfEvent(event));
    this.#backlogs.delete(backlog);
  }

  #finishIfDone(): void {
    if (!this.behind) this.#options.caughtUp();
  }
}
