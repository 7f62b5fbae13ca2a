import { tooManyRequests } from './fair-pool.js';

export interface BodyBudgetLimits {
  readonly bytes: number;
  readonly bytesPerFlow: number;
}

/** Memory that a request with a body is charged before its first byte arrives. */
const requestBytes = 16 * 1_024;

/** Limits the memory of request bodies that are being received or handled, in total and per flow. */
export class BodyBudget {
  readonly #used = new Map<string, number>();
  #total = 0;

  constructor(private readonly limits: BodyBudgetLimits) {}

  /** Opens a reservation for one request. Throws 429 if the budget of the flow is used up. */
  open(flow: string): BodyReservation {
    const reservation = new BodyReservation((bytes) => this.#add(flow, bytes));
    reservation.add(requestBytes);
    return reservation;
  }

  #add(flow: string, bytes: number): void {
    const used = (this.#used.get(flow) ?? 0) + bytes;
    if (bytes > 0 && (used > this.limits.bytesPerFlow || this.#total + bytes > this.limits.bytes))
      throw tooManyRequests();
    this.#total += bytes;
    if (used <= 0) this.#used.delete(flow);
    else this.#used.set(flow, used);
  }
}

export class BodyReservation {
  #bytes = 0;

  constructor(private readonly change: (bytes: number) => void) {}

  /** Reserves more bytes. Throws 429 if the budget is used up. */
  add(bytes: number): void {
    this.change(bytes);
    this.#bytes += bytes;
  }

  release(): void {
    const bytes = this.#bytes;
    this.#bytes = 0;
    if (bytes > 0) this.change(-bytes);
  }
}
