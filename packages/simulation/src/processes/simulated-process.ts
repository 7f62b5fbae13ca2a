import type { Clock, Timer, VirtualClock } from '@slipway/base';

/** Limit of steps without time advancing. Reconciling everything needs fewer. */
const stepsMax = 100_000;

/**
 * One process of the simulated system. It can be killed at any await: then its timers never fire, its requests never
 * get a response, and its memory is unreachable. It can also be stopped for a while, as by SIGSTOP or a paused virtual
 * machine: it receives everything that was held back when it resumes.
 */
export class SimulatedProcess {
  readonly clock: Clock;
  readonly #time: VirtualClock;
  readonly #timers = new Set<Timer>();
  readonly #onDeath = new Set<() => void>();
  readonly #onStandstill: () => void;
  #held: (() => void)[] | undefined;
  #dead = false;
  /** The current time, and the number of steps since it last advanced. */
  #momentMs = 0;
  #steps = 0;

  constructor(
    readonly name: string,
    time: VirtualClock,
    onStandstill: () => void = () => undefined,
  ) {
    this.#onStandstill = onStandstill;
    this.#time = time;
    this.clock = {
      now: () => time.now(),
      monotonic: () => time.monotonic(),
      setTimer: (ms, callback) => this.#setTimer(ms, callback),
    };
  }

  get isDead(): boolean {
    return this.#dead;
  }

  get isStopped(): boolean {
    return this.#held !== undefined;
  }

  kill(): void {
    if (this.#dead) return;
    this.#dead = true;
    for (const timer of this.#timers) timer.cancel();
    this.#timers.clear();
    this.#held = undefined;
    for (const notify of this.#onDeath) notify();
    this.#onDeath.clear();
  }

  /** Delivers nothing to the process until `resume`. */
  stop(): void {
    if (!this.#dead) this.#held ??= [];
  }

  resume(): void {
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const callback of held) callback();
  }

  /** Registers a callback for the death of the process; returns a function that unregisters it. */
  onDeath(listener: () => void): () => void {
    this.#onDeath.add(listener);
    return () => void this.#onDeath.delete(listener);
  }

  /**
   * Delivers a response to the process: immediately, when the process resumes, or never. Calls `onDelivered` on
   * delivery.
   */
  async receive<T>(answer: Promise<T>, onDelivered?: () => void): Promise<T> {
    try {
      const value = await answer;
      await this.awake();
      onDelivered?.();
      return value;
    } catch (error) {
      await this.awake();
      throw error;
    }
  }

  awake(): Promise<void> | undefined {
    this.#step();
    if (this.#dead) return new Promise(() => undefined);
    const held = this.#held;
    return held === undefined ? undefined : new Promise((resolve) => held.push(resolve));
  }

  /** Counts a step, and kills a process in a livelock: while it works without waiting, time cannot advance. */
  #step(): void {
    const nowMs = this.#time.monotonic();
    if (nowMs !== this.#momentMs) this.#steps = 0;
    this.#momentMs = nowMs;
    this.#steps += 1;
    if (this.#steps <= stepsMax || this.#dead) return;
    this.kill();
    this.#onStandstill();
  }

  #setTimer(ms: number, callback: () => void): Timer {
    if (this.#dead) return { cancel: () => undefined };
    let cancelled = false;
    const timer = this.#time.setTimer(ms, () => {
      this.#timers.delete(timer);
      this.#step();
      if (this.#dead) return;
      if (this.#held === undefined) callback();
      else this.#held.push(() => !cancelled && callback());
    });
    this.#timers.add(timer);
    return {
      cancel: () => {
        cancelled = true;
        timer.cancel();
        this.#timers.delete(timer);
      },
    };
  }
}
