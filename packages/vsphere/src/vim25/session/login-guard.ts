import type { Clock } from '@slipway/base';

const pauseMsFirst = 10_000;
const pauseMsMax = 300_000;

/**
 * Allows one login at a time, and backs off after a rejected login: vCenter locks accounts after a few wrong passwords,
 * and every controller that shares the session would retry immediately.
 */
export class LoginGuard {
  readonly #clock: Clock;
  #running: Promise<void> | undefined;
  #refused: { readonly error: Error; readonly until: number } | undefined;
  #pauseMs = pauseMsFirst;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  run(login: () => Promise<void>, isRefusal: (error: unknown) => boolean): Promise<void> {
    if (this.#running !== undefined) return this.#running;
    if (this.#refused !== undefined && this.#clock.monotonic() < this.#refused.until) {
      return Promise.reject(this.#refused.error);
    }
    this.#running = this.#attempt(login, isRefusal).finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  async #attempt(login: () => Promise<void>, isRefusal: (error: unknown) => boolean): Promise<void> {
    try {
      await login();
      this.#refused = undefined;
      this.#pauseMs = pauseMsFirst;
    } catch (error) {
      if (isRefusal(error)) {
        this.#refused = { error: error as Error, until: this.#clock.monotonic() + this.#pauseMs };
        this.#pauseMs = Math.min(this.#pauseMs * 2, pauseMsMax);
      }
      throw error;
    }
  }
}
