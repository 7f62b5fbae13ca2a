import type { Clock } from '@slipway/base';

/** One run, until it ends or is called off. */
export interface Deadline {
  readonly dueMs: number;
  readonly expire: () => void;
}

/**
 * Tells runs when they have taken too long. All of a controller may take equally long, so that they are due in the order in
 * which they began, and one timer is enough: hardly any run ever needs it, and each would pay for one of its own.
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

  /** It is not cancelled when its run ends: the next one would arm it again. */
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
