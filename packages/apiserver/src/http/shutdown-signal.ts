/** Signals streams to end. There is one subscription per watch, so subscriptions are cheap. */
export class ShutdownSignal {
  readonly #callbacks = new Set<() => void>();
  #fired = false;

  subscribe(callback: () => void): { dispose(): void } {
    if (this.#fired) callback();
    else this.#callbacks.add(callback);
    return { dispose: () => void this.#callbacks.delete(callback) };
  }

  fire(): void {
    this.#fired = true;
    const callbacks = [...this.#callbacks];
    this.#callbacks.clear();
    for (const callback of callbacks) callback();
  }

  assertRunning(): void {
    if (this.#fired) throw new Error('shutting down');
  }
}
