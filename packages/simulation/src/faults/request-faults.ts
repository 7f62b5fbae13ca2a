import type { Random } from '@slipway/base';
import { between } from './chance.js';

/** How often requests go wrong, each a chance between 0 and 1. */
export interface RequestFaultRates {
  /** Refused because somebody else was faster. */
  conflict: number;
  /** The server fails and has done nothing. */
  serverError: number;
  /** The server has done it, and its answer is lost. */
  lostAnswer: number;
  /** The request takes its time. */
  delay: number;
  /** The longest such time. */
  delayMsMax: number;
  /** A watch breaks before its events are delivered. */
  watchBreak: number;
  /** The server no longer has the history from which a watch wants to go on. */
  watchExpired: number;
  /** A batch of events comes late. */
  watchDelay: number;
  /** A batch of events comes twice. */
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

/** Decides what goes wrong with requests. The rates change as the run goes on. */
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

  #delayMs(chance: number): number {
    if (chance === 0 || this.random.next() >= chance) return 0;
    return between(this.random, 1, this.rates.delayMsMax);
  }
}
