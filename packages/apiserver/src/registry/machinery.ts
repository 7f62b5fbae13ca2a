import type { Clock, Random } from '@slipway/base';
import type { Admission, Store } from '../contract/index.js';

/** What every endpoint works with. */
export interface Machinery {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly admission: Admission;
}
