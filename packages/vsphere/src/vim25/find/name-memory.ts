import type { Clock } from '@slipway/base';

/** Time to live of a cached lookup. */
const ttlMs = 10_000;

interface Remembered {
  readonly value: unknown;
  readonly until: number;
}

/**
 * Caches lookups of inventory names for a short time. Machines that are created together name the same templates, pools and
 * networks, and each lookup by name lists all objects of a type. Failed lookups are not cached, and callers clear the cache
 * after a failure, because a cached object may have been deleted.
 */
export class NameMemory {
  readonly #clock: Clock;
  #remembered = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async recall<T>(key: string, find: () => Promise<T>): Promise<T> {
    const cached = this.#remembered.get(key);
    const now = this.#clock.monotonic();
    if (cached !== undefined && now < cached.until) return cached.value as T;
    const kept = this.#remembered;
    const value = await find();
    kept.set(key, { value, until: now + ttlMs });
    return value;
  }

  /** Clears the cache. Results of lookups in progress are not cached either. */
  forget(): void {
    this.#remembered = new Map();
  }
}
