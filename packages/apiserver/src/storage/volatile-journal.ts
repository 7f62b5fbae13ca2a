import type { Journal, JournalBatch, JournalState } from './journal.js';

/** Keeps nothing: for planes that live as long as their process, such as the workload clusters of tests. */
export class VolatileJournal implements Journal {
  readonly durable = false;

  load(): Promise<JournalState> {
    return Promise.resolve({ revision: 0, compacted: 0 });
  }

  async append(take: () => JournalBatch): Promise<void> {
    // A turn of the microtask queue, so that nobody comes to rely on a write that is visible at once.
    await Promise.resolve();
    take();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
