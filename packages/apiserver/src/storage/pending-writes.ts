import type { StorageKey } from '../contract/index.js';

/** The writes under way, by key. There is at most one for each key. */
export class PendingWrites {
  readonly #writes = new Map<string, Promise<void>>();

  /** Resolves, and never rejects, when the write under way for this key is decided. */
  get(key: StorageKey): Promise<void> | undefined {
    return this.#writes.get(idOf(key));
  }

  set(key: StorageKey, write: Promise<unknown>): void {
    this.#writes.set(
      idOf(key),
      write.then(
        () => undefined,
        () => undefined,
      ),
    );
  }

  delete(key: StorageKey): void {
    this.#writes.delete(idOf(key));
  }
}

/** Unambiguous: neither a resource nor a namespace can contain a NUL, and the name comes last. */
export function idOf(key: StorageKey): string {
  return `${key.resource}\0${key.namespace}\0${key.name}`;
}
