/** Smaller sets are looked at as often as something happens. */
const largeFrom = 100;
const restMsMax = 1000;

/**
 * How often a large set is looked at. Every look goes over all of its machines, and each of them reports many times while it
 * comes up: without a rest in between, a set of a thousand would keep the process from everything else.
 */
export class SetPace {
  readonly #lastLookMs = new Map<string, number>();

  /** How long the set has to rest before it may be looked at; 0 begins a look. A millisecond for each machine. */
  restMs(uid: string, machines: number, nowMs: number): number {
    if (machines < largeFrom) {
      this.#lastLookMs.delete(uid);
      return 0;
    }
    const rest = (this.#lastLookMs.get(uid) ?? Number.NEGATIVE_INFINITY) + Math.min(machines, restMsMax) - nowMs;
    if (rest > 0) return rest;
    this.#lastLookMs.set(uid, nowMs);
    return 0;
  }

  forget(uid: string): void {
    this.#lastLookMs.delete(uid);
  }
}
