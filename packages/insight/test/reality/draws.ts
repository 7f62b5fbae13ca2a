import { seededRandom } from '@slipway/base';

/** Random decisions that depend only on a seed. */
export class Draws {
  readonly #random;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** Returns an integer between `from` and `to`, both included. */
  between(from: number, to: number): number {
    return from + Math.floor(this.#random.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.#random.next() < probability;
  }

  pick<T>(values: readonly [T, ...T[]]): T {
    const [first] = values;
    return values[this.between(0, values.length - 1)] ?? first;
  }
}
