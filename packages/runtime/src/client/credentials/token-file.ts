import type { Clock } from '@slipway/base';
import { readContent } from './content.js';

/**
 * Interval after which the file is read again. Bound service account tokens are valid for an hour and are replaced on disk after
 * 80 percent of it.
 */
const rereadMs = 60_000;

export class TokenFile {
  readonly #path: string;
  readonly #clock: Clock;
  #token: Promise<string> | undefined;
  #readAt = 0;

  constructor(path: string, clock: Clock) {
    this.#path = path;
    this.#clock = clock;
  }

  get(): Promise<string> {
    if (this.#token === undefined || this.#clock.monotonic() - this.#readAt >= rereadMs) {
      this.#readAt = this.#clock.monotonic();
      const reading = readContent({ file: this.#path }, 'token').then((text) => text.trim());
      // Do not cache failures: the file may appear a moment later.
      reading.catch(() => this.forget());
      this.#token = reading;
    }
    return this.#token;
  }

  forget(): void {
    this.#token = undefined;
  }
}
