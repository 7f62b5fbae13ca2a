import type { Clock } from '@slipway/base';

/** How long a name means what it meant. */
const lifeMs = 10_000;

interface Remembered {
  readonly value: unknown;
  readonly until: number;
}

/**
 * What names of a vCenter meant a moment ago. Machines that are made together name the same templates, pools and networks,
 * and finding one by its name lists all there are: hundreds of machines would each list thousands. What is not found is not
 * remembered, and whoever meets a failure forgets everything: what was found may be gone.
 */
export class NameMemory {
  readonly #clock: Clock;
  #remembered = new Map<string, Remembered>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async recall<T>(key: string, find: () => Promise<T>): Promise<T> {
    const known = this.#remembered.get(key);
    const now = this.#clock.monotonic();
    if (known !== undefined && now < known.until) return known.value as T;
    const kept = this.#remembered;
    const value = await find();
    kept.set(key, { value, until: now + lifeMs });
    return value;
  }

  /** Also of what is being looked for now. */
  forget(): void {
    this.#remembered = new Map();
  }
}
