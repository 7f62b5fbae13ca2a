import type { ClusterCacheOptions, ControllerSet } from '@slipway/runtime';
import type { KindSet } from '@slipway/plane';
import { createKindSet, type KindSetOptions } from './kinds.js';

/** What the program brings to a server: kinds, and the controllers that act on them. */
export interface Cargo {
  readonly sets: readonly ControllerSet[];
  readonly kinds?: (options: KindSetOptions) => KindSet;
  /** How workload clusters are reached, if not over HTTPS. */
  readonly connect?: ClusterCacheOptions['connect'];
}

/** Everything that this program carries: `manager` runs it on a Kubernetes, `up` in its own process. */
export function loadCargo(): Cargo {
  return { sets: [], kinds: createKindSet };
}
