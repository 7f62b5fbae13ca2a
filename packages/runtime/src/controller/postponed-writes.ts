import type { Clock } from '@slipway/base';

/** How long a write that changes nothing but summaries may wait. The writes of a burst of events are combined into one. */
export const postponeMs = 500;

/** The objects of one controller whose summaries are outdated, and when they are written at the latest. */
export class PostponedWrites {
  readonly #dueMs = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly reconcileAfter: (key: string, delayMs: number) => void,
  ) {}

  /** Returns whether the write of this object can wait, and schedules the reconcile that makes it. */
  postpone(key: string): boolean {
    const now = this.clock.monotonic();
    const dueMs = this.#dueMs.get(key) ?? now + postponeMs;
    if (now >= dueMs) {
      this.#dueMs.delete(key);
      return false;
    }
    this.#dueMs.set(key, dueMs);
    this.reconcileAfter(key, dueMs - now);
    return true;
  }

  /** Call it when the object was written, or no longer exists. */
  forget(key: string): void {
    this.#dueMs.delete(key);
  }
}
