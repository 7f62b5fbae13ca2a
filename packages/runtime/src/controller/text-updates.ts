import type { Clock } from '@slipway/base';

/**
 * How long a status may wait when only the texts of its conditions changed. Summaries list the state of every child, so that each
 * step of a child would be a write of all its owners; within this time they are combined into one.
 */
export const textDelayMs = 500;

/** The objects of one controller whose condition texts are outdated, and when they are written at the latest. */
export class TextUpdates {
  readonly #due = new Map<string, number>();

  constructor(
    private readonly clock: Clock,
    private readonly reconcileAfter: (key: string, delayMs: number) => void,
  ) {}

  /** Whether the write of this object can wait. The reconcile that makes it is scheduled. */
  postpone(key: string): boolean {
    const now = this.clock.monotonic();
    const due = this.#due.get(key);
    if (due !== undefined && now >= due) {
      this.#due.delete(key);
      return false;
    }
    if (due === undefined) this.#due.set(key, now + textDelayMs);
    this.reconcileAfter(key, (due ?? now + textDelayMs) - now);
    return true;
  }

  /** To be called when the object was written, or no longer exists. */
  forget(key: string): void {
    this.#due.delete(key);
  }
}
