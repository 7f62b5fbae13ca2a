import { setMaxListeners } from 'node:events';

/**
 * A signal that follows other signals until it is released. AbortSignal.any is not used: a long-lived source keeps its result in
 * memory, and every request of a controller follows a signal that lives as long as the process.
 */
export class LinkedSignal {
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #follow = (event: Event): void => this.#controller.abort((event.target as AbortSignal).reason);

  constructor(...sources: readonly (AbortSignal | undefined)[]) {
    this.#sources = sources.filter((source) => source !== undefined);
    for (const source of this.#sources) {
      // Many listeners on the signal of the process are not a leak: each is removed when its request ends. Disable Node's
      // warning.
      setMaxListeners(0, source);
      if (source.aborted) this.#controller.abort(source.reason);
      else source.addEventListener('abort', this.#follow, { once: true });
    }
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason: unknown): void {
    this.#controller.abort(reason);
  }

  release(): void {
    for (const source of this.#sources) source.removeEventListener('abort', this.#follow);
  }
}
