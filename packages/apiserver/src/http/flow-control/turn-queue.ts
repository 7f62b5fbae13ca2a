import type { Clock } from '@slipway/base';

/** Time that requests may take before the event loop serves sockets and timers again. */
const turnMsMax = 8;

type Start = () => void;

/**
 * Starts requests one after another, one of each connection in turn. One read of an HTTP/2 connection can contain thousands of
 * requests; without turns all of them would run before the event loop reads the request of another connection.
 */
export class TurnQueue {
  readonly #waiting = new Map<object, Start[]>();
  #isBusy = false;
  #turnStartedAt = 0;

  constructor(private readonly clock: Pick<Clock, 'monotonic'>) {}

  /** Calls `start` when it is the turn of the connection: immediately if no other request is being started. */
  run(connection: object, start: Start): void {
    if (this.#isBusy) {
      const queue = this.#waiting.get(connection);
      if (queue === undefined) this.#waiting.set(connection, [start]);
      else queue.push(start);
      return;
    }
    this.#isBusy = true;
    this.#turnStartedAt = this.clock.monotonic();
    this.#startOne(start);
  }

  #startOne(start: Start): void {
    try {
      start();
    } finally {
      // A tick that a microtask schedules runs after all microtasks, and so after the synchronous part of the request.
      queueMicrotask(() => process.nextTick(() => this.#next()));
    }
  }

  #next(): void {
    const [first] = this.#waiting;
    if (first === undefined) {
      this.#isBusy = false;
      return;
    }
    if (this.clock.monotonic() - this.#turnStartedAt >= turnMsMax) {
      setImmediate(() => {
        this.#turnStartedAt = this.clock.monotonic();
        this.#next();
      });
      return;
    }
    const [connection, queue] = first;
    this.#waiting.delete(connection);
    const start = queue.shift();
    // Move the connection to the end: `Map` keeps the order of insertion.
    if (queue.length > 0) this.#waiting.set(connection, queue);
    this.#startOne(start ?? (() => undefined));
  }
}
