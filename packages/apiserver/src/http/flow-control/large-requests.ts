import type { Clock } from '@slipway/base';
import { FairPool, type PoolLimits } from './fair-pool.js';

/** Size from which a body or a stored object is large: processing 16 KiB takes up to 15 ms. */
const largeBytes = 16 * 1_024;
/** Large requests that are processed at the same time. Their objects need up to a hundred times the memory of their bodies. */
const largeLimits: PoolLimits = { seats: 4, seatsPerFlow: 1, queuePerFlow: 500 };
const pauseMsMax = 5_000;

/**
 * Processes the large requests of one user one after another, each in steps. The pause after a step grows with the square of its
 * duration, as does the total time for which a step delays other requests.
 */
export class LargeRequests {
  readonly #pool = new FairPool(largeLimits);

  constructor(private readonly clock: Clock) {}

  open(flow: string): LargeRequest {
    return new LargeRequest(this.clock, this.#pool, flow);
  }
}

export class LargeRequest {
  #release: (() => void) | undefined;
  #hasLeft = false;
  #resumeAt = 0;

  constructor(
    private readonly clock: Clock,
    private readonly pool: FairPool,
    private readonly flow: string,
  ) {}

  /**
   * Waits before a step that processes an object of `bytes` bytes. Returns undefined if the request is not large. Rejects with
   * the reason of the signal if the request was aborted.
   */
  step(bytes: number, signal: () => AbortSignal): Promise<void> | undefined {
    if (this.#release === undefined && bytes < largeBytes) return undefined;
    return this.#wait(signal());
  }

  /** Ends the request. The user's next one starts after the pause. */
  leave(): void {
    this.#hasLeft = true;
    const release = this.#release;
    if (release === undefined) return;
    // The last step is measured when the event loop continues.
    setImmediate(() => {
      const pauseMs = this.#pauseMs();
      if (pauseMs > 0) this.clock.setTimer(pauseMs, release);
      else release();
    });
  }

  async #wait(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#release ??= this.pool.tryTake(this.flow) ?? (await this.pool.wait(this.flow, signal));
    if (this.#hasLeft) this.#release();
    // Also without a pause, other requests run first.
    await new Promise<void>((resolve) => setImmediate(resolve));
    const pauseMs = this.#pauseMs();
    if (pauseMs > 0) await new Promise<void>((resolve) => this.clock.setTimer(pauseMs, resolve));
    signal.throwIfAborted();
    this.#measure();
  }

  /** Measures how long the step occupies the event loop. */
  #measure(): void {
    const startedAt = this.clock.monotonic();
    const usage = process.cpuUsage();
    setImmediate(() => {
      const now = this.clock.monotonic();
      const { user, system } = process.cpuUsage(usage);
      // CPU time contains other threads, and elapsed time contains other processes of a busy host.
      const ms = Math.min(now - startedAt, (user + system) / 1_000);
      this.#resumeAt = now + Math.min(ms ** 2 / 2, pauseMsMax);
    });
  }

  #pauseMs(): number {
    return Math.max(0, this.#resumeAt - this.clock.monotonic());
  }
}
