import type { Clock } from '@slipway/base';
import { createMergePatch, type JsonObject } from '@slipway/kube';
import type { Frame } from '../model/frame.js';
import type { ClosableFeed } from './feed.js';
import { Audience } from './frames.js';

/** A view that is recomputed completely; subscribers get the difference. */
export class ValueFeed<View extends object> implements ClosableFeed {
  readonly #audience: Audience;
  #told: JsonObject | undefined;
  #now: JsonObject | undefined;
  #gone = '';
  #lost = '';
  #isToldAway = false;

  constructor(clock: Clock) {
    this.#audience = new Audience(clock, { first: () => this.#first(), changes: () => this.#changes() });
  }

  get viewers(): number {
    return this.#audience.size;
  }

  open(send: (frame: string) => void): { dispose(): void } {
    return this.#audience.add(send);
  }

  set(view: View): void {
    // Compare as JSON, which has no undefined values.
    this.#now = JSON.parse(JSON.stringify(view)) as JsonObject;
    this.#gone = '';
    this.#lost = '';
    this.#audience.note();
  }

  lose(why: string): void {
    this.#lost = why;
    this.#audience.note();
  }

  end(why: string): void {
    this.#now = undefined;
    this.#lost = '';
    this.#gone = why;
    this.#audience.note();
  }

  dispose(): void {
    this.#audience.dispose();
  }

  #away(): Frame | undefined {
    if (this.#gone !== '') return { gone: this.#gone };
    return this.#lost === '' ? undefined : { lost: this.#lost };
  }

  #first(): Frame | undefined {
    const away = this.#away();
    if (away !== undefined) return away;
    return this.#told === undefined ? undefined : { whole: this.#told };
  }

  #changes(): Frame | undefined {
    const away = this.#away();
    if (away !== undefined) {
      this.#isToldAway = true;
      return away;
    }
    const [before, now] = [this.#told, this.#now];
    if (now === undefined) return undefined;
    this.#told = now;
    if (before === undefined || this.#isToldAway) {
      this.#isToldAway = false;
      return { whole: now };
    }
    const patch = createMergePatch(before, now);
    return Object.keys(patch).length === 0 ? undefined : { patch };
  }
}
