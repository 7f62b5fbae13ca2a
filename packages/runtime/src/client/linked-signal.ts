import { setMaxListeners } from 'node:events';

/**
 * A signal that follows others until it is released. AbortSignal.any keeps its result reachable from long-lived sources, and
 * every request of a controller follows a signal that lives as long as the process.
 */
export class LinkedSignal {
  readonly #controller = new AbortController();
  readonly #sources: readonly AbortSignal[];
  readonly #follow = (event: Event): void => this.#controller.abort((event.target as AbortSignal).reason);

  constructor(...sources: readonly (AbortSignal | undefined)[]) {
    this.#sources = sources.filter((source) => source !== undefined);
    for (const source of this.#sources) {
      // One signal for all requests of a process is not a leak: each listener is removed when its request ends.
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
