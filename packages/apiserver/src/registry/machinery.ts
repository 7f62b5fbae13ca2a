import type { Clock, Random } from '@slipway/base';
import type { AdmissionChain } from '../admission/index.js';
import type { Store } from '../storage/index.js';

/** What every endpoint works with. */
export interface Machinery {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly admission: AdmissionChain;
}
