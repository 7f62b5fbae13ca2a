import type { Random } from '@slipway/base';

const firstMs = 800;
const lastMs = 30_000;
const goneJitterMs = 1_000;

/** How long to wait before the next connection: longer each time, and never in step with others. */
export class Restart {
  readonly #random: Random;
  #failures = 0;
  #gone = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  /** The state is here. That the server can list does not mean that it can watch: lost history is still counted. */
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

  /** Lost history hits all informers of a server at once: the lists that follow are spread. */
  afterGone(): number {
    this.#gone += 1;
    return this.#gone === 1 ? goneJitterMs * this.#random.next() : this.afterFailure();
  }
}
