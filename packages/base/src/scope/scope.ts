/** A resource that must be released. Its creator adds it to a Scope, which disposes it. */
export interface Disposable {
  dispose(): void | Promise<void>;
}

/** Disposes the added resources in reverse order. If disposing one fails, the others are still disposed. */
export class Scope implements Disposable {
  readonly #held: Disposable[] = [];
  #disposed = false;

  add<T extends Disposable>(held: T): T {
    if (this.#disposed) throw new Error('scope is already disposed');
    this.#held.push(held);
    return held;
  }

  defer(dispose: () => void | Promise<void>): void {
    this.add({ dispose });
  }

  async dispose(): Promise<void> {
    if (this.#disposed) return;
    this.#disposed = true;
    const failures: unknown[] = [];
    for (let held = this.#held.pop(); held !== undefined; held = this.#held.pop()) {
      try {
        await held.dispose();
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw new AggregateError(failures, 'some resources could not be released');
  }
}
