import type { Random } from '@slipway/base';

const firstMs = 800;
const lastMs = 30_000;
const goneJitterMs = 1_000;

/** Computes the back-off before the next connection: exponential, with jitter. */
export class Restart {
  readonly #random: Random;
  #failures = 0;
  #gone = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /**
   * Called when the initial state is complete. Does not reset the back-off if watches have expired repeatedly: a successful list
   * does not prove that watches work.
   */
  listed(): void {
    if (this.#gone < 2) this.#failures = 0;
  }

  recovered(): void {
    this.#failures = 0;
    this.#gone = 0;
  }

  afterFailure(): number {
    const baseMs = Math.min(firstMs * 2 ** this.#failures, lastMs);
    this.#failures = Math.min(this.#failures + 1, 16);
    return baseMs * (1 + this.#random.next());
  }

  /**
   * Returns the back-off after the history was compacted. That affects all informers of a server at the same time, so
   * the delay of their lists is randomized.
   */
  afterGone(): number {
    this.#gone += 1;
    return this.#gone === 1 ? goneJitterMs * this.#random.next() : this.afterFailure();
  }
}
