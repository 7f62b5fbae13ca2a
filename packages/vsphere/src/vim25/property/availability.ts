import type { Disposable } from '@slipway/base';

/** Tracks whether a server is available, and notifies waiting listeners. */
export class Availability {
  readonly #listeners = new Set<() => void>();
  #outage: Error | undefined;

  /** Why the server is unavailable. Undefined while it is available. */
  get outage(): Error | undefined {
    return this.#outage;
  }

  /** Number of listeners. */
  get size(): number {
    return this.#listeners.size;
  }

  subscribe(listener: () => void): Disposable {
    this.#listeners.add(listener);
    return { dispose: () => void this.#listeners.delete(listener) };
  }

  /** Sets the outage and notifies the listeners if its cause changed, so that they report the current cause. */
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
