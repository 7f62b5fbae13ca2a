/** A pending timer. */
export interface Pending {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
  /** Index of the timer in the heap, or -1 if the timer is not in the heap. */
  index: number;
}

/** Min-heap of timers, ordered by deadline and then by creation. Removal is fast: a simulation cancels most of its timers. */
export class TimerHeap {
  readonly #entries: Pending[] = [];

  get first(): Pending | undefined {
    return this.#entries[0];
  }

  push(entry: Pending): void {
    this.#place(entry, this.#entries.length);
    this.#rise(entry);
  }

  /** Removes a timer. Has no effect if the timer is not in the heap. */
  remove(entry: Pending): void {
    const { index } = entry;
    if (index < 0) return;
    entry.index = -1;
    const last = this.#entries.pop() as Pending;
    if (last === entry) return;
    this.#place(last, index);
    this.#rise(last);
    this.#sink(last);
  }

  #rise(entry: Pending): void {
    while (entry.index > 0) {
      const parent = this.#entries[(entry.index - 1) >> 1] as Pending;
      if (!isBefore(entry, parent)) return;
      this.#swap(parent, entry);
    }
  }

  #sink(entry: Pending): void {
    for (;;) {
      const left = this.#entries[2 * entry.index + 1];
      const right = this.#entries[2 * entry.index + 2];
      const child = right !== undefined && isBefore(right, left as Pending) ? right : left;
      if (child === undefined || !isBefore(child, entry)) return;
      this.#swap(entry, child);
    }
  }

  #swap(parent: Pending, child: Pending): void {
    const { index } = parent;
    this.#place(parent, child.index);
    this.#place(child, index);
  }

  #place(entry: Pending, index: number): void {
    entry.index = index;
    this.#entries[index] = entry;
  }
}

function isBefore(left: Pending, right: Pending): boolean {
  return left.at < right.at || (left.at === right.at && left.order < right.order);
}
