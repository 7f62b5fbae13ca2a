import type { Clock } from '@slipway/base';

/** How often an Event was repeated, and the name of its object on the server. */
export interface EventSeries {
  readonly id: string;
  count: number;
  readonly firstAt: number;
  lastAt: number;
  /** Name of the Event object. Undefined until the first Event is written. */
  storedName: string | undefined;
}

export interface EventIdentity {
  readonly object: string;
  readonly type: string;
  readonly reason: string;
  readonly message: string;
}

export interface Correlated {
  readonly series: EventSeries;
  readonly message: string;
}

interface Similar {
  readonly messages: Set<string>;
  lastAt: number;
}

interface Bucket {
  tokens: number;
  at: number;
}

// The limits of client-go's event correlator, which users know from other controllers.
const cacheMax = 4096;
const similarMax = 10;
const similarWindowMs = 600_000;
const burst = 25;
const refillMs = 300_000;

/** Deduplicates equal Events, aggregates similar Events, and rate-limits the Events of one object. */
export class EventCorrelator {
  readonly #clock: Clock;
  readonly #series = new Map<string, EventSeries>();
  readonly #similar = new Map<string, Similar>();
  readonly #buckets = new Map<string, Bucket>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Returns the Event to write, or undefined if it exceeds the rate limit. */
  correlate(identity: EventIdentity): Correlated | undefined {
    const group = [identity.object, identity.type, identity.reason].join('\n');
    const combined = this.#isCombined(group, identity.message);
    const message = combined ? `(combined from similar events): ${identity.message}` : identity.message;
    const series = this.#count(combined ? group : `${group}\n${identity.message}`);
    return this.#takeToken(identity.object) ? { series, message } : undefined;
  }

  #isCombined(group: string, message: string): boolean {
    const now = this.#clock.monotonic();
    let similar = this.#similar.get(group);
    if (similar === undefined || now - similar.lastAt > similarWindowMs) similar = { messages: new Set(), lastAt: now };
    remember(this.#similar, group, similar);
    similar.lastAt = now;
    if (similar.messages.size < similarMax) similar.messages.add(message);
    return similar.messages.size >= similarMax;
  }

  #count(id: string): EventSeries {
    const now = this.#clock.now();
    const series = this.#series.get(id) ?? { id, count: 0, firstAt: now, lastAt: now, storedName: undefined };
    remember(this.#series, id, series);
    series.count += 1;
    series.lastAt = now;
    return series;
  }

  #takeToken(object: string): boolean {
    const now = this.#clock.monotonic();
    const bucket = this.#buckets.get(object) ?? { tokens: burst, at: now };
    remember(this.#buckets, object, bucket);
    bucket.tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    bucket.at = now;
    if (bucket.tokens < 1) return false;
    bucket.tokens -= 1;
    return true;
  }
}

/** Adds an entry and evicts the least recently used one. A Map keeps insertion order. */
function remember<T>(map: Map<string, T>, key: string, value: T): void {
  map.delete(key);
  map.set(key, value);
  if (map.size <= cacheMax) return;
  const oldest = map.keys().next().value;
  if (oldest !== undefined) map.delete(oldest);
}
