import type { Clock, Random } from '@slipway/base';
import type { Admission, Store } from '../contract/index.js';

/** Dependencies of every endpoint. */
export interface RegistryDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly random: Random;
  readonly admission: Admission;
}
