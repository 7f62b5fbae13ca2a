import type { Disposable } from '@slipway/base';

/** Whether a server can be used, for all who wait for something that it does. */
export class Availability {
  readonly #listeners = new Set<() => void>();
  #outage: Error | undefined;

  /** Why the server cannot be used, while that is so. */
  get outage(): Error | undefined {
    return this.#outage;
  }

  /** How many wait. */
  get size(): number {
    return this.#listeners.size;
  }

  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Tells those who wait, once for each cause: what they say of it is to be what is wrong now. */
  set(outage: Error | undefined): void {
    const isKnown = this.#outage?.message === outage?.message;
    this.#outage = outage;
    if (!isKnown) for (const listener of this.#listeners) listener();
  }

  clear(): void {
    this.#listeners.clear();
    this.#outage = undefined;
  }
}
