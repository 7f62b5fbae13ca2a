import { type Clock, sleep } from '@slipway/base';

export interface RateLimit {
  /** Average number of requests per second. */
  readonly perSecond: number;
  /** Requests that may be sent at once after an idle period. */
  readonly burst: number;
}

/** A token bucket. Waiting requests proceed in FIFO order. */
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
    // A negative balance reserves future tokens: the deficit is this request's place in the queue.
    if (this.#tokens < 0) await sleep(this.#clock, (-this.#tokens * 1000) / this.#limit.perSecond, { signal });
  }
}
