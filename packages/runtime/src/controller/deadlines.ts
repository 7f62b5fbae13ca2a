import type { Clock } from '@slipway/base';

/** The deadline of one reconcile. */
export interface Deadline {
  readonly dueMs: number;
  readonly expire: () => void;
}

/**
 * Calls `expire` for reconciles that exceed their timeout. All reconciles of a controller have the same timeout, so deadlines
 * expire in start order and one timer is enough: a timer for each reconcile would cost more than most reconciles.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #timeoutMs: number;
  readonly #waiting = new Set<Deadline>();
  #isArmed = false;

  constructor(clock: Clock, timeoutMs: number) {
    this.#clock = clock;
    this.#timeoutMs = timeoutMs;
  }

  get timeoutMs(): number {
    return this.#timeoutMs;
  }

  begin(expire: () => void): Deadline {
    const deadline = { dueMs: this.#clock.monotonic() + this.#timeoutMs, expire };
    this.#waiting.add(deadline);
    if (!this.#isArmed) this.#arm(this.#timeoutMs);
    return deadline;
  }

  end(deadline: Deadline): void {
    this.#waiting.delete(deadline);
  }

  /** Sets the timer. It is not cancelled when a reconcile ends, because the next reconcile would set it again. */
  #arm(ms: number): void {
    this.#isArmed = true;
    this.#clock.setTimer(ms, () => this.#expire());
  }

  #expire(): void {
    this.#isArmed = false;
    const nowMs = this.#clock.monotonic();
    for (const deadline of this.#waiting) {
      // Real timers may fire a fraction early.
      if (deadline.dueMs > nowMs + 1) return this.#arm(deadline.dueMs - nowMs);
      this.#waiting.delete(deadline);
      deadline.expire();
    }
  }
}
