import type { StorageKey } from '../contract/index.js';

/** Pending writes by key, at most one per key. */
export class PendingWrites {
  readonly #writes = new Map<string, Promise<void>>();

  /** Returns a promise that resolves when the pending write of this key is committed or has failed. It never rejects. */
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

/** Formats a key as one unambiguous string: neither a resource nor a namespace can contain a NUL, and the name comes last. */
export function idOf(key: StorageKey): string {
  return `${key.resource}\0${key.namespace}\0${key.name}`;
}
