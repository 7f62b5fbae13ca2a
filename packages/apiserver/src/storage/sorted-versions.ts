import type { Version } from './version.js';

const chunkLengthMax = 512;

/**
 * The versions of one namespace in order of their names, in chunks: an insertion moves at most one chunk's worth of
 * pointers, however many objects there are.
 */
export class SortedVersions {
  readonly #chunks: Version[][] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(name: string): Version | undefined {
    const chunk = this.#chunks[this.#chunkFor(name)];
    if (chunk === undefined) return undefined;
    const version = chunk[lowerBound(chunk, name)];
    return version?.key.name === name ? version : undefined;
  }

  /** Inserts or replaces. */
  set(version: Version): void {
    const { name } = version.key;
    if (this.#chunks.length === 0) {
      this.#chunks.push([version]);
      this.#size = 1;
      return;
    }
    const chunkIndex = Math.min(this.#chunkFor(name), this.#chunks.length - 1);
    const chunk = this.#chunks[chunkIndex] as Version[];
    const index = lowerBound(chunk, name);
    if (chunk[index]?.key.name === name) {
      chunk[index] = version;
      return;
    }
    chunk.splice(index, 0, version);
    this.#size += 1;
    if (chunk.length > chunkLengthMax) this.#split(chunkIndex, chunk, index);
  }

  delete(name: string): boolean {
    const chunkIndex = this.#chunkFor(name);
    const chunk = this.#chunks[chunkIndex];
    if (chunk === undefined) return false;
    const index = lowerBound(chunk, name);
    if (chunk[index]?.key.name !== name) return false;
    chunk.splice(index, 1);
    this.#size -= 1;
    if (chunk.length === 0) this.#chunks.splice(chunkIndex, 1);
    return true;
  }

  appendTo(target: Version[]): void {
    for (const chunk of this.#chunks) target.push(...chunk);
  }

  /** Names often arrive in order; then the full chunk stays full and a new one begins, instead of two half-empty ones. */
  #split(chunkIndex: number, chunk: Version[], inserted: number): void {
    const keep = inserted === chunk.length - 1 ? chunkLengthMax : chunk.length >>> 1;
    this.#chunks.splice(chunkIndex + 1, 0, chunk.splice(keep));
  }

  /** The first chunk whose last name is not before `name`. */
  #chunkFor(name: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const chunk = this.#chunks[middle] as Version[];
      if ((chunk[chunk.length - 1] as Version).key.name < name) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function lowerBound(chunk: readonly Version[], name: string): number {
  let low = 0;
  let high = chunk.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((chunk[middle] as Version).key.name < name) low = middle + 1;
    else high = middle;
  }
  return low;
}
