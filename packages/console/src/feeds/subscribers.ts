import type { Clock, Timer } from '@slipway/base';
import type { Frame } from '../model/frame.js';

/** Changes come in bursts and are collected for this time before they are sent. */
const collectMs = 100;

/** The subscribers of one view. Each change is serialized once and sent to all of them. */
export class Subscribers {
  readonly #subscribers = new Set<(frame: string) => void>();
  #timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly source: {
      /** Returns the first frame for a new subscriber, or undefined while there is no data. */
      first(): Frame | undefined;
      /** Returns the changes since the last call. */
      changes(): Frame | undefined;
    },
  ) {}

  get size(): number {
    return this.#subscribers.size;
  }

  add(send: (frame: string) => void): { dispose(): void } {
    // First send the collected changes to the existing subscribers. The first frame of the new subscriber already contains them.
    this.flush();
    this.#subscribers.add(send);
    const first = this.source.first();
    if (first !== undefined) send(JSON.stringify(first));
    return { dispose: () => void this.#subscribers.delete(send) };
  }

  /** Schedules sending the changes. */
  scheduleFlush(): void {
    this.#timer ??= this.clock.setTimer(collectMs, () => this.flush());
  }

  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const frame = this.source.changes();
    if (frame === undefined || this.#subscribers.size === 0) return;
    const text = JSON.stringify(frame);
    for (const send of this.#subscribers) send(text);
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#subscribers.clear();
  }
}
