import type { Version } from './version.js';

/** Parsed, or as the bytes that responses and the disk carry. */
export type Form = 'object' | 'record';

interface Entry {
  readonly version: Version;
  readonly size: number;
}

/**
 * Bounds the memory of versions that are held twice, parsed and as bytes: `kept` is the form that every version keeps, the
 * other one is let go. Oldest first with a second chance: what was used since it was last looked at stays for another round.
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

  /** Called when a version came to hold both forms. */
  admit(version: Version, size: number): void {
    this.#queue.push({ version, size });
    this.#bytes += size;
    this.#evict();
  }

  #evict(): void {
    // Each entry is looked at twice at most: the first look clears its mark.
    let looks = 2 * (this.#queue.length - this.#head);
    while (this.#bytes > this.maxBytes && looks > 0) {
      looks -= 1;
      const entry = this.#queue[this.#head] as Entry;
      this.#head += 1;
      if (entry.version.recentlyUsed && looks > 0) {
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
