import type { Version } from './version.js';

/** The two forms of a version: the parsed object, and the encoded record that responses and the disk use. */
export type Form = 'object' | 'record';

interface Entry {
  readonly version: Version;
  readonly size: number;
}

/**
 * Bounds the memory of versions that hold both forms, parsed and encoded. `kept` is the form that every version keeps; the other
 * form is evicted. Eviction follows the CLOCK algorithm: oldest first, but an entry used since the last scan survives one more
 * round.
 */
export class FormCache {
  #queue: Entry[] = [];
  #head = 0;
  #bytes = 0;

  constructor(
    readonly maxBytes: number,
    readonly kept: Form,
  ) {}

  get bytes(): number {
    return this.#bytes;
  }

  /** Called when a version starts to hold both forms. */
  admit(version: Version, size: number): void {
    this.#queue.push({ version, size });
    this.#bytes += size;
    this.#evict();
  }

  #evict(): void {
    // Each entry is visited at most twice: the first visit clears its mark.
    let visits = 2 * (this.#queue.length - this.#head);
    while (this.#bytes > this.maxBytes && visits > 0) {
      visits -= 1;
      const entry = this.#queue[this.#head] as Entry;
      this.#head += 1;
      if (entry.version.recentlyUsed && visits > 0) {
        entry.version.recentlyUsed = false;
        this.#queue.push(entry);
      } else {
        entry.version.dropSecondForm();
        this.#bytes -= entry.size;
      }
    }
    this.#shrink();
  }

  #shrink(): void {
    if (this.#head < 1_024 || this.#head * 2 < this.#queue.length) return;
    this.#queue = this.#queue.slice(this.#head);
    this.#head = 0;
  }
}
