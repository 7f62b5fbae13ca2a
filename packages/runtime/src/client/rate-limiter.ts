import { type Clock, sleep } from '@slipway/base';

export interface RateLimit {
  /** Average number of requests per second. */
  readonly perSecond: number;
  /** Number of requests that may be sent together after an idle period. */
  readonly burst: number;
}

/** A token bucket. Waiting requests proceed in the order of arrival. */
export class RateLimiter {
  readonly #limit: RateLimit;
  readonly #clock: Clock;
  #tokens: number;
  #filledAt: number;

  constructor(limit: RateLimit, clock: Clock) {
    this.#limit = limit;
    this.#clock = clock;
    this.#tokens = limit.burst;
    this.#filledAt = clock.monotonic();
  }

  async take(signal: AbortSignal): Promise<void> {
    const now = this.#clock.monotonic();
    const filled = this.#tokens + ((now - this.#filledAt) * this.#limit.perSecond) / 1000;
    this.#tokens = Math.min(this.#limit.burst, filled) - 1;
    this.#filledAt = now;
    // The balance may be negative: it then reserves future tokens, and determines how long this request waits.
    if (this.#tokens < 0) await sleep(this.#clock, (-this.#tokens * 1000) / this.#limit.perSecond, { signal });
  }
}
