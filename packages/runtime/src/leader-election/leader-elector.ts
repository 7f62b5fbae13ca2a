import { type Clock, type Random, sleep } from '@slipway/base';
import type { LeaseTimes } from './lease.js';
import { LeaseLock, type LeaseLockOptions } from './lease-lock.js';

export interface LeaderElectorOptions extends LeaseLockOptions {
  readonly random: Random;
  /** Whether to release the lease on a graceful stop, so that the next leader need not wait until it expires. */
  readonly releaseOnStop?: boolean;
  readonly onNewLeader?: (identity: string) => void;
}

const jitterFactor = 1.2;

/**
 * Acquires the lease, then renews it until renewing fails or the signal aborts, as client-go does. When `run` resolves, the fence
 * is closed and this process no longer acts.
 */
export class LeaderElector {
  readonly lock: LeaseLock;
  readonly #options: LeaderElectorOptions;
  readonly #times: LeaseTimes;
  readonly #clock: Clock;
  #reported = '';

  constructor(options: LeaderElectorOptions) {
    this.#options = options;
    this.#times = options.times;
    this.#clock = options.clock;
    this.lock = new LeaseLock(options);
  }

  get isLeader(): boolean {
    return this.lock.isHeld;
  }

  /**
   * Runs one leadership. Calls `work.lead` to start the work, and `work.stopped` to end it and to wait for work in progress.
   * Resolves with `stopped` if the signal aborted, and with `lost` if the lease could not be renewed in time.
   */
  async run(
    signal: AbortSignal,
    work: { readonly lead: () => void; readonly stopped: () => Promise<void> },
  ): Promise<'stopped' | 'lost'> {
    if (!(await this.#acquire(signal))) return 'stopped';
    const { logger, key, identity } = this.#options;
    logger.info({ Lease: key, identity, term: this.lock.term }, 'Became leader');
    work.lead();
    const lost = await this.#renewUntilLost(signal);
    if (lost) {
      this.lock.resign();
      logger.error({ Lease: key, identity }, 'Leadership lost: the lease was not renewed in time');
      await work.stopped();
      return 'lost';
    }
    // Keep renewing until the work has ended, because work in progress may still write. Release the lease only after that.
    const renewing = this.#keepRenewing();
    await work.stopped();
    await renewing.stop();
    if (this.#options.releaseOnStop !== false) await this.lock.release();
    else this.lock.resign();
    logger.info({ Lease: key, identity }, 'Stopped leading');
    return 'stopped';
  }

  async #acquire(signal: AbortSignal): Promise<boolean> {
    while (!signal.aborted) {
      if (await this.#attempt(signal)) return !signal.aborted || this.#giveBack();
      const jittered = this.#times.retryPeriodMs * (1 + this.#options.random.next() * jitterFactor);
      await this.#pause(jittered, signal);
    }
    return false;
  }

  /** Releases a lease that was acquired while the signal aborted. */
  async #giveBack(): Promise<boolean> {
    await this.lock.release();
    return false;
  }

  /** Returns true if the lease was lost, false if the signal aborted. */
  async #renewUntilLost(signal: AbortSignal): Promise<boolean> {
    for (;;) {
      await this.#pause(Math.min(this.#times.retryPeriodMs, this.lock.remainingMs), signal);
      if (signal.aborted) return false;
      if (await this.#attempt(signal)) continue;
      if (signal.aborted) return false;
      if (!this.lock.isHeld) return true;
    }
  }

  #keepRenewing(): { stop(): Promise<void> } {
    const ended = new AbortController();
    const loop = (async (): Promise<void> => {
      while (!ended.signal.aborted) {
        await this.#pause(Math.min(this.#times.retryPeriodMs, this.lock.remainingMs), ended.signal);
        if (ended.signal.aborted || !(await this.#attempt(ended.signal))) return;
      }
    })();
    return {
      async stop() {
        ended.abort(new Error('work has ended'));
        await loop;
      },
    };
  }

  /** Makes one attempt to acquire or renew. It ends at the latest when the fence closes: a hanging request must not hide that. */
  async #attempt(signal: AbortSignal): Promise<boolean> {
    const limit = this.lock.isHeld ? this.lock.remainingMs : this.#times.renewDeadlineMs;
    const attempt = new AbortController();
    const timer = this.#clock.setTimer(limit, () => attempt.abort(new Error('the lease request took too long')));
    const onAbort = (): void => attempt.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const aborted = new Promise<false>((resolve) =>
        attempt.signal.addEventListener('abort', () => resolve(false), { once: true }),
      );
      return await Promise.race([this.lock.tryAcquireOrRenew(attempt.signal), aborted]);
    } finally {
      timer.cancel();
      signal.removeEventListener('abort', onAbort);
      this.#reportLeader();
    }
  }

  #reportLeader(): void {
    const { holder } = this.lock;
    if (holder === this.#reported || holder === '') return;
    this.#reported = holder;
    this.#options.onNewLeader?.(holder);
  }

  async #pause(ms: number, signal: AbortSignal): Promise<void> {
    await sleep(this.#clock, ms, { signal }).catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  }
}
