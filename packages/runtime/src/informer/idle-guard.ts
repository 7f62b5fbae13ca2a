import type { Clock, Timer } from '@slipway/base';
import { ConnectionError } from '../client/index.js';

/** Detects that no activity was reported for a while. Reporting activity is cheap, because it does not reset a timer. */
export class IdleGuard {
  readonly #clock: Clock;
  readonly #onIdle: (error: ConnectionError) => void;
  #limitMs: number;
  #touchedAt: number;
  #timer: Timer;
  #expired: ConnectionError | undefined;

  constructor(clock: Clock, limitMs: number, onIdle: (error: ConnectionError) => void) {
    this.#clock = clock;
    this.#limitMs = limitMs;
    this.#onIdle = onIdle;
    this.#touchedAt = clock.monotonic();
    this.#timer = this.#arm(limitMs);
  }

  get expired(): ConnectionError | undefined {
    return this.#expired;
  }

  touch(): void {
    this.#touchedAt = this.#clock.monotonic();
  }

  setLimit(limitMs: number): void {
    this.#limitMs = limitMs;
    this.touch();
    this.#timer.cancel();
    this.#timer = this.#arm(limitMs);
  }

  stop(): void {
    this.#timer.cancel();
  }

  #arm(ms: number): Timer {
    return this.#clock.setTimer(ms, () => {
      const restMs = this.#limitMs - (this.#clock.monotonic() - this.#touchedAt);
      if (restMs > 0) {
        this.#timer = this.#arm(restMs);
        return;
      }
      this.#expired = new ConnectionError('timeout', `the watch has not received data for ${this.#limitMs / 1000} s`);
      this.#onIdle(this.#expired);
    });
  }
}
