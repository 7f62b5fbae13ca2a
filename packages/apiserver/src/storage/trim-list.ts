import type { Trimming } from './commit-queue.js';
import type { History } from './history.js';
import type { Revision } from '../contract/index.js';

/**
 * Number of records to remove together. Removing adjacent records together touches few disk pages; removing too many would delay
 * a write.
 */
const trimLengthMin = 128;
const trimLengthMax = 4_096;

/** Undo records that are no longer part of the history, but are not deleted from the disk yet. */
export class TrimList implements Trimming {
  #dropped: Revision[];

  constructor(
    readonly history: History,
    useless: readonly Revision[],
  ) {
    this.#dropped = [...useless];
  }

  get compacted(): Revision {
    return this.history.compacted;
  }

  trim(now: number): void {
    for (const revision of this.history.trim(now)) this.#dropped.push(revision);
  }

  take(): readonly Revision[] {
    if (this.#dropped.length < trimLengthMin) return [];
    return this.#dropped.splice(0, trimLengthMax);
  }

  restore(dropped: readonly Revision[]): void {
    if (dropped.length > 0) this.#dropped = [...dropped, ...this.#dropped];
  }
}
