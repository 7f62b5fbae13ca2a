export interface Delayed {
  readyAt: number;
  /** Index of the item in the heap; -1 if it is not in the heap. */
  heapIndex: number;
}

/** A binary heap ordered by `readyAt`. Items know their index, so that moving or removing an item takes logarithmic time. */
export class DelayHeap<Item extends Delayed> {
  readonly #heap: Item[] = [];

  get size(): number {
    return this.#heap.length;
  }

  first(): Item | undefined {
    return this.#heap[0];
  }

  items(): readonly Item[] {
    return this.#heap;
  }

  push(item: Item): void {
    item.heapIndex = this.#heap.length;
    this.#heap.push(item);
    this.#up(item.heapIndex);
  }

  remove(item: Item): void {
    const index = item.heapIndex;
    if (index < 0) return;
    const last = this.#heap.pop();
    item.heapIndex = -1;
    if (last === undefined || last === item) return;
    this.#place(last, index);
    this.#up(index);
    this.#down(last.heapIndex);
  }

  #place(item: Item, index: number): void {
    this.#heap[index] = item;
    item.heapIndex = index;
  }

  #up(from: number): void {
    let index = from;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!this.#swapIfEarlier(index, parent)) return;
      index = parent;
    }
  }

  #down(from: number): void {
    let index = from;
    for (;;) {
      const left = index * 2 + 1;
      const right = left + 1;
      let earliest = index;
      if (this.#isEarlier(left, earliest)) earliest = left;
      if (this.#isEarlier(right, earliest)) earliest = right;
      if (earliest === index) return;
      this.#swapIfEarlier(earliest, index);
      index = earliest;
    }
  }

  #isEarlier(index: number, than: number): boolean {
    const item = this.#heap[index];
    const other = this.#heap[than];
    return item !== undefined && other !== undefined && item.readyAt < other.readyAt;
  }

  #swapIfEarlier(index: number, other: number): boolean {
    if (!this.#isEarlier(index, other)) return false;
    const item = this.#heap[index] as Item;
    this.#place(this.#heap[other] as Item, index);
    this.#place(item, other);
    return true;
  }
}
