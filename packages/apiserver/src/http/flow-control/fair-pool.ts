import { StatusError } from '@slipway/kube';

export interface PoolLimits {
  /** Maximum number of requests that are handled at the same time. */
  readonly seats: number;
  /** Maximum number of seats of one flow. Lower than `seats`, so that no flow takes all of them. */
  readonly seatsPerFlow: number;
  /** Maximum number of requests of one flow that wait for a seat. Further requests are rejected with 429. */
  readonly queuePerFlow: number;
}

interface Waiter {
  readonly enter: () => void;
}

interface Flow {
  seats: number;
  readonly queue: Waiter[];
}

/**
 * Seats for concurrent requests, shared between flows (usually: users). A free seat goes to the waiting flow with the fewest
 * seats, so that a flow with many requests delays only itself.
 */
export class FairPool {
  readonly #flows = new Map<string, Flow>();
  #seats = 0;

  constructor(private readonly limits: PoolLimits) {}

  /**
   * Takes a seat without waiting, and returns a function that releases it. Returns undefined if the request has to
   * wait.
   */
  tryTake(key: string): (() => void) | undefined {
    const flow = this.#flows.get(key);
    if (this.#seats >= this.limits.seats || (flow?.seats ?? 0) >= this.limits.seatsPerFlow) return undefined;
    return this.#take(key, flow ?? this.#add(key));
  }

  /** Waits for a seat. Throws 429 if the queue of the flow is full. Rejects with the reason of `signal` if it aborts first. */
  wait(key: string, signal: AbortSignal): Promise<() => void> {
    const flow = this.#flows.get(key) ?? this.#add(key);
    if (flow.queue.length >= this.limits.queuePerFlow) {
      this.#dropUnused(key, flow);
      throw tooManyRequests();
    }
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        flow.queue.splice(flow.queue.indexOf(waiter), 1);
        this.#dropUnused(key, flow);
        reject(signal.reason as Error);
      };
      const waiter: Waiter = {
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve(this.#take(key, flow));
        },
      };
      flow.queue.push(waiter);
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    });
  }

  #take(key: string, flow: Flow): () => void {
    this.#seats += 1;
    flow.seats += 1;
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      this.#seats -= 1;
      flow.seats -= 1;
      this.#admitNext();
      this.#dropUnused(key, flow);
    };
  }

  #admitNext(): void {
    if (this.#seats >= this.limits.seats) return;
    let next: Flow | undefined;
    for (const flow of this.#flows.values()) {
      if (flow.queue.length === 0 || flow.seats >= this.limits.seatsPerFlow) continue;
      if (next === undefined || flow.seats < next.seats) next = flow;
    }
    next?.queue.shift()?.enter();
  }

  #add(key: string): Flow {
    const flow: Flow = { seats: 0, queue: [] };
    this.#flows.set(key, flow);
    return flow;
  }

  #dropUnused(key: string, flow: Flow): void {
    if (flow.seats === 0 && flow.queue.length === 0) this.#flows.delete(key);
  }
}

export function tooManyRequests(): StatusError {
  return new StatusError({
    code: 429,
    reason: 'TooManyRequests',
    message: 'Too many requests, please try again later.',
    details: { retryAfterSeconds: 1 },
  });
}
