import { priorityResync, type WorkQueue } from '../queue/index.js';

/**
 * Looks at every key again, in portions that fit the queue: after keys had to be dropped because it was full, and when
 * this process may act on more than before. It goes on where it stopped, so that the last key gets its turn as well.
 */
export class FullLook {
  readonly #queue: WorkQueue;
  readonly #list: () => Iterable<string>;
  #wanted = false;
  #left: string[] = [];

  constructor(queue: WorkQueue, list: () => Iterable<string>) {
    this.#queue = queue;
    this.#list = list;
  }

  /** A key was lost that no later event may bring back: look at everything once there is room. */
  want(): void {
    this.#wanted = true;
  }

  /** Adds as many as fit. To be called again when there is room. */
  go(): void {
    do {
      if (this.#left.length === 0 && this.#wanted) this.#begin();
      for (let text = this.#left.at(-1); text !== undefined; text = this.#left.at(-1)) {
        if (!this.#queue.add(text, { priority: priorityResync })) return;
        this.#left.pop();
      }
    } while (this.#wanted);
  }

  #begin(): void {
    this.#wanted = false;
    this.#left = [...this.#list()].reverse();
  }
}
