import type { Clock, Timer } from './clock.js';
import { type Pending, TimerHeap } from './timer-heap.js';

/** Time that moves only by `advance` and `jump`. Timers fire in order of deadline, then of creation. */
export class VirtualClock implements Clock {
  readonly #pending = new TimerHeap();
  #elapsed = 0;
  #wallOffset: number;
  #order = 0;

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.#wallOffset = startMs;
  }

  now(): number {
    return this.#wallOffset + this.#elapsed;
  }

  monotonic(): number {
    return this.#elapsed;
  }

  setTimer(ms: number, callback: () => void): Timer {
    this.#order += 1;
    // Round to whole milliseconds, like real timers: a delay of 1e-12 would fire without time ever advancing.
    const entry: Pending = { at: this.#elapsed + Math.ceil(Math.max(ms, 0)), order: this.#order, callback, index: -1 };
    this.#pending.push(entry);
    return { cancel: () => this.#pending.remove(entry) };
  }

  /** Moves the wall clock without moving timers, as NTP or an administrator does. */
  jump(ms: number): void {
    this.#wallOffset += ms;
  }

  /** The delay until the next timer fires, or undefined if there is none. */
  nextTimerMs(): number | undefined {
    const next = this.#pending.first;
    return next === undefined ? undefined : next.at - this.#elapsed;
  }

  /** Advances by `ms`. Promises settle between timers, as they do in real time. */
  async advance(ms: number): Promise<void> {
    const end = this.#elapsed + ms;
    await settle();
    for (let next = this.#pending.first; next !== undefined && next.at <= end; next = this.#pending.first) {
      this.#elapsed = next.at;
      this.#pending.remove(next);
      next.callback();
      await settle();
    }
    this.#elapsed = end;
  }
}

/** Waits for one turn of the event loop, which runs every ready promise chain to its end. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
