import type { Clock, Timer } from '@slipway/base';
import type { Frame } from '../model/frame.js';

/** Changes come in bursts and are collected for this time before they are sent. */
const collectMs = 100;

/** The subscribers of one view. Each change is serialized once and sent to all of them. */
export class Audience {
  readonly #viewers = new Set<(frame: string) => void>();
  #timer: Timer | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly source: {
      /** What a newcomer sees first; undefined while nothing is known. */
      first(): Frame | undefined;
      /** What changed since it was asked last. */
      changes(): Frame | undefined;
    },
  ) {}

  get size(): number {
    return this.#viewers.size;
  }

  add(send: (frame: string) => void): { dispose(): void } {
    // What is collected belongs to those who were here before: a newcomer sees it in the whole.
    this.flush();
    this.#viewers.add(send);
    const first = this.source.first();
    if (first !== undefined) send(JSON.stringify(first));
    return { dispose: () => void this.#viewers.delete(send) };
  }

  /** Schedules sending the changes. */
  note(): void {
    this.#timer ??= this.clock.setTimer(collectMs, () => this.flush());
  }

  flush(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const frame = this.source.changes();
    if (frame === undefined || this.#viewers.size === 0) return;
    const text = JSON.stringify(frame);
    for (const send of this.#viewers) send(text);
  }

  dispose(): void {
    this.#timer?.cancel();
    this.#viewers.clear();
  }
}
