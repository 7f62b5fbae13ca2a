import type { Clock } from '@slipway/base';
import { formatTime } from '@slipway/kube';
import { redact } from '../change/redact.js';

export interface KeyError {
  readonly at: string;
  readonly message: string;
  readonly verdict: string;
}

const keysMax = 10_000;

/** The last error of each key, for the debug page. A successful reconcile removes the error of its key. */
export class ErrorLog {
  readonly #clock: Clock;
  readonly #errors = new Map<string, KeyError>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  note(key: string, error: Error, verdict: string): void {
    this.#errors.delete(key);
    this.#errors.set(key, { at: formatTime(this.#clock.now()), message: redact(error.message), verdict });
    if (this.#errors.size <= keysMax) return;
    const oldest = this.#errors.keys().next().value;
    if (oldest !== undefined) this.#errors.delete(oldest);
  }

  clear(key: string): void {
    if (this.#errors.size > 0) this.#errors.delete(key);
  }

  entries(): [string, KeyError][] {
    return [...this.#errors];
  }
}
