import type { Disposable } from '@slipway/base';
import { keyText, type ObjectKey } from '@slipway/runtime';
import type { VimSession } from '../../vim25/index.js';

/**
 * Enqueues the objects that wait for a vCenter when it becomes unreachable and when it recovers. During the outage, only their
 * shared session contacts the vCenter.
 */
export class StandBy implements Disposable {
  readonly #waiting = new Map<string, { readonly session: VimSession; readonly watch: Disposable }>();

  begin(key: ObjectKey, session: VimSession, enqueue: (key: ObjectKey) => void): void {
    const text = keyText(key);
    const existing = this.#waiting.get(text);
    if (existing?.session === session) return;
    this.#waiting.set(text, { session, watch: session.updates.standBy(() => enqueue(key)) });
    void existing?.watch.dispose();
  }

  end(key: ObjectKey): void {
    const text = keyText(key);
    void this.#waiting.get(text)?.watch.dispose();
    this.#waiting.delete(text);
  }

  /** Returns whether the vCenter of an object is unreachable. Its recovery will be reported, so it need not be contacted. */
  isAway(key: ObjectKey): boolean {
    return this.#waiting.get(keyText(key))?.session.updates.outage !== undefined;
  }

  dispose(): void {
    for (const { watch } of this.#waiting.values()) void watch.dispose();
    this.#waiting.clear();
  }
}
