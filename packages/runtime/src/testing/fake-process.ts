import type { Clock, Random, Timer, VirtualClock } from '@slipway/base';
import type { Link } from './fake-api.js';

/**
 * A simulated process on shared virtual time. It can be suspended as by SIGSTOP (its code stops, its monotonic clock continues)
 * and cut off from the network, and its wall clock can jump.
 */
export class FakeProcess {
  readonly #sharedClock: VirtualClock;
  readonly #random: Random;
  readonly #held: (() => void)[] = [];
  #paused = false;
  #jumpMs = 0;
  /** Whether requests and responses are lost. */
  isPartitioned = false;
  latencyMsMax = 0;

  constructor(sharedClock: VirtualClock, random: Random) {
    this.#sharedClock = sharedClock;
    this.#random = random;
  }

  readonly clock: Clock = {
    now: () => this.#sharedClock.now() + this.#jumpMs,
    monotonic: () => this.#sharedClock.monotonic(),
    setTimer: (ms, callback): Timer => {
      let cancelled = false;
      const timer = this.#sharedClock.setTimer(ms, () => this.#run(() => cancelled || callback()));
      return {
        cancel: () => {
          cancelled = true;
          timer.cancel();
        },
      };
    },
  };

  readonly link: Link = (serve, { signal }) =>
    new Promise((resolve, reject) => {
      const onAbort = (): void => reject(signal?.reason as Error);
      const settle = (answer: () => void): void => {
        signal?.removeEventListener('abort', onAbort);
        answer();
      };
      if (signal?.aborted === true) onAbort();
      signal?.addEventListener('abort', onAbort, { once: true });
      if (this.isPartitioned) return;
      this.#sharedClock.setTimer(this.#latency(), () => {
        const answer = attempt(serve);
        if (this.isPartitioned) return;
        this.#sharedClock.setTimer(this.#latency(), () =>
          this.#run(() => settle(() => ('error' in answer ? reject(answer.error as Error) : resolve(answer.value)))),
        );
      });
    });

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    for (const callback of this.#held.splice(0)) callback();
  }

  jump(ms: number): void {
    this.#jumpMs += ms;
  }

  #run(callback: () => void): void {
    if (this.#paused) this.#held.push(callback);
    else callback();
  }

  #latency(): number {
    return this.#random.next() * this.latencyMsMax;
  }
}

function attempt<T>(serve: () => T): { readonly value: T } | { readonly error: unknown } {
  try {
    return { value: serve() };
  } catch (error) {
    return { error };
  }
}
