import type { Journal, JournalBatch, JournalWrite } from './journal.js';
import type { Revision } from '../contract/index.js';
import { StorageUnavailable } from './errors.js';

/** A write that was accepted and waits for the disk. */
export interface QueuedWrite extends JournalWrite {
  /** What it adds to the size of its batch. */
  readonly size: number;
  /** Called when durable, in order of revision over all writes. */
  published(): void;
  failed(error: Error): void;
}

export interface BatchLimits {
  readonly maxWrites: number;
  readonly maxBytes: number;
}

/** What the store wants trimmed from disk along with the next writes. */
export interface Trimming {
  readonly compacted: Revision;
  take(): readonly Revision[];
  restore(dropped: readonly Revision[]): void;
}

/** One durable batch at a time; whatever arrives while it is on its way to disk goes together in the next. */
export class CommitQueue {
  #waiting: QueuedWrite[] = [];
  #flushing = false;
  #idle: (() => void)[] = [];

  constructor(
    readonly journal: Journal,
    readonly limits: BatchLimits,
    readonly trimming: Trimming,
  ) {}

  push(write: QueuedWrite): void {
    this.#waiting.push(write);
    this.#flush();
  }

  /** Resolves when everything that was pushed is on disk or has failed. */
  drained(): Promise<void> {
    if (!this.#flushing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #flush(): void {
    if (this.#flushing) return;
    if (this.#waiting.length === 0) {
      for (const resolve of this.#idle.splice(0)) resolve();
      return;
    }
    this.#flushing = true;
    let taken: QueuedWrite[] = [];
    let dropped: readonly Revision[] = [];
    const take = (): JournalBatch => {
      taken = this.#take();
      dropped = this.trimming.take();
      const last = taken[taken.length - 1] as QueuedWrite;
      return { writes: taken, revision: last.revision, compacted: this.trimming.compacted, dropped };
    };
    this.journal.append(take).then(
      () => this.#finish(taken, (write) => write.published()),
      (cause: unknown) => {
        this.trimming.restore(dropped);
        // A journal that fails before it took the batch refuses those that would have been in it.
        const refused = taken.length > 0 ? taken : this.#take();
        this.#finish(refused, (write) => write.failed(new StorageUnavailable(cause)));
      },
    );
  }

  /** The next batch is on its way before this one is announced: its writers wait for the disk, not for our listeners. */
  #finish(writes: readonly QueuedWrite[], announce: (write: QueuedWrite) => void): void {
    this.#flushing = false;
    const more = this.#waiting.length > 0;
    if (more) this.#flush();
    for (const write of writes) announce(write);
    if (!more) this.#flush();
  }

  #take(): QueuedWrite[] {
    const { maxWrites, maxBytes } = this.limits;
    let count = 0;
    let bytes = 0;
    for (const write of this.#waiting) {
      if (count > 0 && (count >= maxWrites || bytes + write.size > maxBytes)) break;
      count += 1;
      bytes += write.size;
    }
    const taken = this.#waiting.slice(0, count);
    this.#waiting = this.#waiting.slice(count);
    return taken;
  }
}
