import type { Clock } from '@slipway/base';
import { keyText, type ObjectKey } from '@slipway/runtime';

/**
 * When something of a config is to be looked at again. Events of a machine that boots come often; each of them asking a
 * server about a token or a Secret that was looked at a minute ago would be most of its load.
 */
export class CheckSchedule {
  readonly #clock: Clock;
  readonly #due = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** How long there is nothing to look at; 0 when it is time. */
  remainingMs(key: ObjectKey): number {
    const due = this.#due.get(keyText(key));
    return due === undefined ? 0 : Math.max(due - this.#clock.monotonic(), 0);
  }

  set(key: ObjectKey, afterMs: number): void {
    this.#due.set(keyText(key), this.#clock.monotonic() + afterMs);
  }

  forget(key: ObjectKey): void {
    this.#due.delete(keyText(key));
  }
}
