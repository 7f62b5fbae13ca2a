import type { Clock, Timer } from '@slipway/base';

interface Due {
  readonly at: number;
  readonly order: number;
  action: (() => void) | undefined;
}

// Deadlines further away than this are coalesced, because each wake-up costs CPU.
const farOffMs = 5_000;
const grainMs = 100;

/** Runs many deadlines on one timer. Thousands of clusters would otherwise need one timer each. */
export class DueSchedule {
  readonly #clock: Clock;
  readonly #heap: Due[] = [];
  #timer: Timer | undefined;
  #timerAt = Infinity;
  #order = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  after(ms: number, action: () => void): Timer {
    this.#order += 1;
    const at = this.#clock.monotonic() + Math.max(ms, 0);
    const due: Due = { at: ms < farOffMs ? at : Math.ceil(at / grainMs) * grainMs, order: this.#order, action };
    this.#push(due);
    this.#arm();
    return {
      cancel: () => {
        due.action = undefined;
      },
    };
  }

  clear(): void {
    this.#heap.length = 0;
    this.#timer?.cancel();
    this.#timerAt = Infinity;
  }

  #arm(): void {
    const next = this.#heap[0];
    if (next === undefined || next.at >= this.#timerAt) return;
    this.#timer?.cancel();
    this.#timerAt = next.at;
    this.#timer = this.#clock.setTimer(next.at - this.#clock.monotonic(), () => this.#fire());
  }

  #fire(): void {
    this.#timerAt = Infinity;
    const now = this.#clock.monotonic();
    for (let next = this.#heap[0]; next !== undefined && next.at <= now; next = this.#heap[0]) {
      this.#pop();
      next.action?.();
    }
    this.#arm();
  }

  #push(due: Due): void {
    const heap = this.#heap;
    let index = heap.push(due) - 1;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (isBefore(heap[parent] as Due, due)) break;
      heap[index] = heap[parent] as Due;
      index = parent;
    }
    heap[index] = due;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop();
    if (last === undefined || heap.length === 0) return;
    let index = 0;
    for (let child = 1; child < heap.length; child = 2 * index + 1) {
      const right = heap[child + 1];
      if (right !== undefined && isBefore(right, heap[child] as Due)) child += 1;
      if (isBefore(last, heap[child] as Due)) break;
      heap[index] = heap[child] as Due;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(left: Due, right: Due): boolean {
  return left.at === right.at ? left.order < right.order : left.at < right.at;
}
