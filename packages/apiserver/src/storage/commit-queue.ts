import type { Journal, JournalBatch, JournalWrite } from './journal.js';
import type { Revision } from '../contract/index.js';
import { StorageUnavailable } from './errors.js';

/** An accepted write that is waiting to be committed. */
export interface QueuedWrite extends JournalWrite {
  /** Bytes that the write adds to its batch. */
  readonly size: number;
  /** Called when the write is durable, in revision order across all writes. */
  published(): void;
  failed(error: Error): void;
}

export interface BatchLimits {
  readonly maxWrites: number;
  readonly maxBytes: number;
}

/** History to trim from disk together with the next batch. */
export interface Trimming {
  readonly compacted: Revision;
  take(): readonly Revision[];
  restore(dropped: readonly Revision[]): void;
}

/** Commits one batch at a time. Writes that arrive during a commit form the next batch. */
export class CommitQueue {
  #waiting: QueuedWrite[] = [];
  #flushing = false;
  #idle: (() => void)[] = [];
  #failure: StorageUnavailable | undefined;
  #probing: Promise<void> | undefined;

  constructor(
    readonly journal: Journal,
    readonly limits: BatchLimits,
    readonly trimming: Trimming,
  ) {}

  push(write: QueuedWrite): void {
    this.#waiting.push(write);
    this.#flush();
  }

  /** Resolves when every pushed write is committed or has failed. */
  drained(): Promise<void> {
    if (!this.#flushing) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  /** Rejects if the last batch failed to commit and an empty batch fails too. */
  async checkWritable(revision: () => Revision): Promise<void> {
    if (this.#failure === undefined) return;
    this.#probing ??= this.#probe(revision).finally(() => {
      this.#probing = undefined;
    });
    await this.#probing;
  }

  async #probe(revision: () => Revision): Promise<void> {
    while (this.#flushing) await this.drained();
    if (this.#failure === undefined) return;
    this.#flushing = true;
    const { compacted } = this.trimming;
    try {
      await this.journal.append(() => ({ writes: [], revision: revision(), compacted, dropped: [] }));
      this.#failure = undefined;
    } catch (cause) {
      this.#failure = new StorageUnavailable(cause);
      throw this.#failure;
    } finally {
      this.#finish([], () => undefined);
    }
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
      () => {
        this.#failure = undefined;
        this.#finish(taken, (write) => write.published());
      },
      (cause: unknown) => {
        this.trimming.restore(dropped);
        // If the journal failed before it took the batch, fail the writes that the batch would have contained.
        const refused = taken.length > 0 ? taken : this.#take();
        const failure = new StorageUnavailable(cause);
        this.#failure = failure;
        this.#finish(refused, (write) => write.failed(failure));
      },
    );
  }

  /** Starts the next batch before announcing this one, so that commits do not wait for listeners. */
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
