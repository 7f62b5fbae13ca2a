import type { Version } from './version.js';

const chunkLengthMax = 512;

/** The slot of one name, which exists while an object has that name. A new version of the object replaces its content. */
interface Slot {
  readonly name: string;
  version: Version;
}

/**
 * The versions of one namespace, indexed and sorted by name. Reads and replacements are hash lookups. The order is kept in
 * chunks, so that an insertion moves at most one chunk of pointers regardless of the number of objects.
 */
export class SortedVersions {
  readonly #slots = new Map<string, Slot>();
  readonly #chunks: Slot[][] = [];

  get size(): number {
    return this.#slots.size;
  }

  get(name: string): Version | undefined {
    return this.#slots.get(name)?.version;
  }

  /** Inserts or replaces the version of a name. */
  set(version: Version): void {
    const { name } = version.key;
    const known = this.#slots.get(name);
    if (known !== undefined) {
      known.version = version;
      return;
    }
    const slot: Slot = { name, version };
    this.#slots.set(name, slot);
    this.#insert(slot);
  }

  delete(name: string): boolean {
    if (!this.#slots.delete(name)) return false;
    const chunkIndex = this.#chunkFor(name);
    const chunk = this.#chunks[chunkIndex] as Slot[];
    chunk.splice(lowerBound(chunk, name), 1);
    if (chunk.length === 0) this.#chunks.splice(chunkIndex, 1);
    return true;
  }

  appendTo(target: Version[]): void {
    for (const chunk of this.#chunks) for (const slot of chunk) target.push(slot.version);
  }

  #insert(slot: Slot): void {
    const chunkIndex = Math.min(this.#chunkFor(slot.name), this.#chunks.length - 1);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) {
      this.#chunks.push([slot]);
      return;
    }
    const index = lowerBound(chunk, slot.name);
    chunk.splice(index, 0, slot);
    if (chunk.length <= chunkLengthMax) return;
    // Names often arrive in order: start a new chunk instead of splitting the full one into two half-empty ones.
    const keep = index === chunkLengthMax ? chunkLengthMax : chunkLengthMax >>> 1;
    this.#chunks.splice(chunkIndex + 1, 0, chunk.splice(keep));
  }

  /** Returns the index of the first chunk whose last name is not before `name`. */
  #chunkFor(name: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = this.#chunks[middle] as Slot[];
      if ((chunk[chunk.length - 1] as Slot).name < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound(chunk: readonly Slot[], name: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunk[middle] as Slot).name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
