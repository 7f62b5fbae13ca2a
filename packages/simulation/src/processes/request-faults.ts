import type { Random } from '@slipway/base';
import { between } from '../random/random.js';

/** Fault rates of requests, each a probability between 0 and 1. */
export interface RequestFaultRates {
  /** Rejected with a conflict. */
  conflict: number;
  /** The server fails before it executes the request. */
  serverError: number;
  /** The server executes the request, and its response is lost. */
  lostAnswer: number;
  /** The request is delayed. */
  delay: number;
  /** Maximum delay in milliseconds. */
  delayMsMax: number;
  /** A watch breaks before its events are delivered. */
  watchBreak: number;
  /** The server no longer has the history from which a watch resumes. */
  watchExpired: number;
  /** A batch of events is late. */
  watchDelay: number;
  /** A batch of events is delivered twice. */
  watchDuplicate: number;
}

export const noRequestFaults: RequestFaultRates = {
  conflict: 0,
  serverError: 0,
  lostAnswer: 0,
  delay: 0,
  delayMsMax: 0,
  watchBreak: 0,
  watchExpired: 0,
  watchDelay: 0,
  watchDuplicate: 0,
};

export type RequestFault = 'none' | 'conflict' | 'serverError' | 'lostAnswer';
export type WatchFault = 'none' | 'break' | 'expired' | 'duplicate';

/** Chooses the faults of each request. The rates change during the run. */
export class RequestFaults {
  rates: RequestFaultRates = noRequestFaults;

  constructor(private readonly random: Random) {}

  forRequest(isWrite: boolean, mayConflict: boolean): RequestFault {
    const { conflict, serverError, lostAnswer } = this.rates;
    if (this.rates === noRequestFaults) return 'none';
    const drawn = this.random.next();
    if (mayConflict && drawn < conflict) return 'conflict';
    if (drawn > 1 - serverError) return 'serverError';
    return isWrite && drawn > 0.5 && drawn < 0.5 + lostAnswer ? 'lostAnswer' : 'none';
  }

  forBatch(): WatchFault {
    const { watchBreak, watchExpired, watchDuplicate } = this.rates;
    if (this.rates === noRequestFaults) return 'none';
    const drawn = this.random.next();
    if (drawn < watchBreak) return 'break';
    if (drawn < watchBreak + watchExpired) return 'expired';
    return drawn > 1 - watchDuplicate ? 'duplicate' : 'none';
  }

  requestDelayMs(): number {
    return this.#delayMs(this.rates.delay);
  }

  batchDelayMs(): number {
    return this.#delayMs(this.rates.watchDelay);
  }

  #delayMs(probability: number): number {
    if (probability === 0 || this.random.next() >= probability) return 0;
    return between(this.random, 1, this.rates.delayMsMax);
  }
}
