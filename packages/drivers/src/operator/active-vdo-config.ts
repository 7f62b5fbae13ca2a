import type { Frozen } from '@slipway/kube';
import type { VdoConfig } from '../api/index.js';

/** Returns the active VDOConfig: the oldest one. */
export function activeVdoConfig(all: Iterable<Frozen<VdoConfig>>): Frozen<VdoConfig> | undefined {
  return [...all].sort(byAge)[0];
}

function byAge({ metadata: left }: Frozen<VdoConfig>, { metadata: right }: Frozen<VdoConfig>): number {
  const [one, other] = [left, right].map(({ creationTimestamp, namespace, name }) =>
    [creationTimestamp ?? '', namespace ?? '', name ?? ''].join('\n'),
  ) as [string, string];
  return one < other ? -1 : 1;
}
