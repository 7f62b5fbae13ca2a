import type { Clock } from '@slipway/base';
import { createMergePatch, type JsonObject } from '@slipway/kube';
import type { Frame } from '../model/frame.js';
import type { ClosableFeed } from './feed.js';
import { Subscribers } from './subscribers.js';

/** A view that is recomputed completely. Subscribers receive the difference. */
export class ValueFeed<View extends object> implements ClosableFeed {
  readonly #subscribers: Subscribers;
  #sent: JsonObject | undefined;
  #now: JsonObject | undefined;
  #gone = '';
  #lost = '';
  #isAwaySent = false;

  constructor(clock: Clock) {
    this.#subscribers = new Subscribers(clock, { first: () => this.#first(), changes: () => this.#changes() });
  }

  get subscriberCount(): number {
    return this.#subscribers.size;
  }

  open(send: (frame: string) => void): { dispose(): void } {
    return this.#subscribers.add(send);
  }

  set(view: View): void {
    // Convert to JSON, which has no undefined values, so that only real differences are found.
    this.#now = JSON.parse(JSON.stringify(view)) as JsonObject;
    this.#gone = '';
    this.#lost = '';
    this.#subscribers.scheduleFlush();
  }

  lose(why: string): void {
    this.#lost = why;
    this.#subscribers.scheduleFlush();
  }

  end(why: string): void {
    this.#now = undefined;
    this.#lost = '';
    this.#gone = why;
    this.#subscribers.scheduleFlush();
  }

  dispose(): void {
    this.#subscribers.dispose();
  }

  #away(): Frame | undefined {
    if (this.#gone !== '') return { gone: this.#gone };
    return this.#lost === '' ? undefined : { lost: this.#lost };
  }

  #first(): Frame | undefined {
    const away = this.#away();
    if (away !== undefined) return away;
    return this.#sent === undefined ? undefined : { whole: this.#sent };
  }

  #changes(): Frame | undefined {
    const away = this.#away();
    if (away !== undefined) {
      this.#isAwaySent = true;
      return away;
    }
    const [before, now] = [this.#sent, this.#now];
    if (now === undefined) return undefined;
    this.#sent = now;
    if (before === undefined || this.#isAwaySent) {
      this.#isAwaySent = false;
      return { whole: now };
    }
    const patch = createMergePatch(before, now);
    return Object.keys(patch).length === 0 ? undefined : { patch };
  }
}
