import { priorityResync, type WorkQueue } from '../queue/index.js';

/**
 * Enqueues every key again, in batches that fit the queue: after a full queue has dropped keys, and when this process becomes
 * responsible for more objects. Each batch continues where the last one stopped, so that every key is enqueued.
 */
export class Resync {
  readonly #queue: WorkQueue;
  readonly #list: () => Iterable<string>;
  #isRequested = false;
  #remaining: string[] = [];

  constructor(queue: WorkQueue, list: () => Iterable<string>) {
    this.#queue = queue;
    this.#list = list;
  }

  /** Requests a resync. Needed after a key was dropped, because there may be no later event that enqueues it. */
  request(): void {
    this.#isRequested = true;
  }

  /** Enqueues as many keys as fit. Called again when the queue has room. */
  enqueue(): void {
    do {
      if (this.#remaining.length === 0 && this.#isRequested) this.#begin();
      for (let text = this.#remaining.at(-1); text !== undefined; text = this.#remaining.at(-1)) {
        if (!this.#queue.add(text, { priority: priorityResync })) return;
        this.#remaining.pop();
      }
    } while (this.#isRequested);
  }

  #begin(): void {
    this.#isRequested = false;
    this.#remaining = [...this.#list()].reverse();
  }
}
