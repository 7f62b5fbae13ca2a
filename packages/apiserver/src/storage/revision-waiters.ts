import type { Revision } from '../contract/index.js';

interface Waiter {
  readonly revision: Revision;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/** Tracks readers that wait for a revision to become visible. */
export class RevisionWaiters {
  readonly #waiters = new Set<Waiter>();

  wait(revision: Revision, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason as Error);
    return new Promise((resolve, reject) => {
      const onAbort = (): void => waiter.reject(signal.reason);
      const settle = (): void => {
        this.#waiters.delete(waiter);
        signal.removeEventListener('abort', onAbort);
      };
      const waiter: Waiter = {
        revision,
        resolve: () => {
          settle();
          resolve();
        },
        reject: (reason) => {
          settle();
          reject(reason as Error);
        },
      };
      this.#waiters.add(waiter);
      signal.addEventListener('abort', onAbort, { once: true });
    });
  }

  reached(revision: Revision): void {
    for (const waiter of this.#waiters) if (waiter.revision <= revision) waiter.resolve();
  }

  rejectAll(reason: Error): void {
    for (const waiter of this.#waiters) waiter.reject(reason);
  }
}
