import type { Clock, Logger, Timer } from '@slipway/base';

const retryFirstMs = 50;
const retryLastMs = 60_000;

export interface KeyedLoopOptions {
  readonly name: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Reconciles one key from current state. May return a delay after which to reconcile again. */
  run(key: string): Promise<RunAgain | void>;
  readonly concurrency?: number;
}

export interface RunAgain {
  readonly afterMs: number;
}

/**
 * Work queue of the server's own controllers: triggered by events, never reconciles the same key concurrently, retries
 * failures with backoff.
 */
export class KeyedLoop {
  readonly #options: KeyedLoopOptions;
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();
  readonly #again = new Set<string>();
  readonly #failures = new Map<string, number>();
  readonly #timers = new Map<string, Timer>();
  readonly #idle: (() => void)[] = [];
  #stopped = false;

  constructor(options: KeyedLoopOptions) {
    this.#options = options;
  }

  add(key: string): void {
    if (this.#stopped) return;
    if (this.#running.has(key)) this.#again.add(key);
    else this.#waiting.add(key);
    this.#pump();
  }

  addAfter(key: string, ms: number): void {
    if (this.#stopped) return;
    this.#timers.get(key)?.cancel();
    const timer = this.#options.clock.setTimer(ms, () => {
      this.#timers.delete(key);
      this.add(key);
    });
    this.#timers.set(key, timer);
  }

  /** Stops starting reconciles and resolves when none is running. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#waiting.clear();
    this.#again.clear();
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
    if (this.#running.size > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  dispose(): Promise<void> {
    return this.stop();
  }

  #pump(): void {
    const concurrency = this.#options.concurrency ?? 1;
    for (const key of this.#waiting) {
      if (this.#running.size >= concurrency) return;
      this.#waiting.delete(key);
      this.#running.add(key);
      void this.#runOnce(key);
    }
  }

  async #runOnce(key: string): Promise<void> {
    // Leave the caller's stack before reconciling: events are published during a commit.
    await Promise.resolve();
    try {
      const again = await this.#options.run(key);
      this.#failures.delete(key);
      if (again !== undefined) this.addAfter(key, again.afterMs);
    } catch (error) {
      this.#retry(key, error);
    }
    this.#running.delete(key);
    if (this.#again.delete(key)) this.#waiting.add(key);
    this.#pump();
    if (this.#running.size === 0) for (const resolve of this.#idle.splice(0)) resolve();
  }

  #retry(key: string, error: unknown): void {
    const failures = (this.#failures.get(key) ?? 0) + 1;
    this.#failures.set(key, failures);
    const delay = Math.min(retryFirstMs * 2 ** (failures - 1), retryLastMs);
    const fields = { loop: this.#options.name, key, failures, err: error };
    // Occasional conflicts are expected; only repeated failures are warnings.
    if (failures > 3) this.#options.logger.warn(fields, 'Reconcile failed repeatedly, retrying');
    else this.#options.logger.debug(fields, 'Reconcile failed, retrying');
    this.addAfter(key, delay);
  }
}
