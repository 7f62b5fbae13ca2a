import type { Revision, StoreEvent } from '../contract/index.js';
import type { Version } from './version.js';

export interface VersionEvent extends StoreEvent {
  readonly current: Version;
  readonly previous?: Version;
  /** Wall time of the change in milliseconds. Stored on disk, so that age limits apply across restarts. */
  readonly at: number;
  /** Memory cost of the event: roughly the serialised size of the state that it replaced. */
  readonly size: number;
}

export interface HistoryLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
  readonly maxAgeMs: number;
}

/** The newest events of all resources, in order of revision. */
export class History {
  #events: VersionEvent[] = [];
  #head = 0;
  #bytes = 0;
  #compacted: Revision;

  constructor(
    readonly limits: HistoryLimits,
    compacted: Revision,
  ) {
    this.#compacted = compacted;
  }

  /** The revision up to which events were dropped. All later events are available. */
  get compacted(): Revision {
    return this.#compacted;
  }

  get length(): number {
    return this.#events.length - this.#head;
  }

  push(event: VersionEvent): void {
    this.#events.push(event);
    this.#bytes += event.size;
  }

  /** Calls `visit` for each event after `revision`, oldest first. */
  forEachAfter(revision: Revision, visit: (event: VersionEvent) => void): void {
    // Read the length once: a visitor may cause new events, which callers receive by subscription.
    const end = this.#events.length;
    for (let index = this.#firstAfter(revision); index < end; index += 1) {
      visit(this.#events[index] as VersionEvent);
    }
  }

  /** Drops events beyond the limits and returns their revisions. */
  trim(now: number): Revision[] {
    const dropped: Revision[] = [];
    while (this.length > 0 && this.#exceeds(this.#events[this.#head] as VersionEvent, now)) {
      const event = this.#events[this.#head] as VersionEvent;
      this.#head += 1;
      this.#bytes -= event.size;
      this.#compacted = event.revision;
      dropped.push(event.revision);
    }
    if (this.#head >= 1_024 && this.#head * 2 >= this.#events.length) this.#shrink();
    return dropped;
  }

  #exceeds(oldest: VersionEvent, now: number): boolean {
    const { maxEvents, maxBytes, maxAgeMs } = this.limits;
    return this.length > maxEvents || this.#bytes > maxBytes || now - oldest.at > maxAgeMs;
  }

  #shrink(): void {
    this.#events = this.#events.slice(this.#head);
    this.#head = 0;
  }

  #firstAfter(revision: Revision): number {
    let low = this.#head;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#events[middle] as VersionEvent).revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
