import type { Journal, JournalBatch, JournalState } from './journal.js';

/**
 * A journal that persists nothing, for API servers that live as long as their process, such as the workload clusters of tests.
 */
export class VolatileJournal implements Journal {
  readonly durable = false;

  load(): Promise<JournalState> {
    return Promise.resolve({ revision: 0, compacted: 0 });
  }

  async append(take: () => JournalBatch): Promise<void> {
    // Yield once, so that callers cannot rely on a write being visible synchronously.
    await Promise.resolve();
    take();
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
