import { type Frozen, labelSelectorFromObject } from '@slipway/kube';
import type { VSphereCluster, VSphereDeploymentZone } from '../../api/index.js';

type FailureDomains = NonNullable<NonNullable<VSphereCluster['status']>['failureDomains']>;

export interface ZoneSummary {
  readonly domains: FailureDomains;
  /** Number of zones that were not validated yet. They are listed as failure domains, and the cluster waits for them. */
  readonly unreported: number;
  readonly notReady: number;
}

/** Returns the zones of a cluster's vCenter as failure domains, sorted by name. Server addresses are compared as strings. */
export function summarizeZones(
  cluster: Frozen<VSphereCluster>,
  zones: Iterable<Frozen<VSphereDeploymentZone>>,
): ZoneSummary | undefined {
  const { failureDomainSelector, server } = cluster.spec;
  if (failureDomainSelector === undefined) return undefined;
  const selector = labelSelectorFromObject(failureDomainSelector);
  const domains: FailureDomains = [];
  let [unreported, notReady] = [0, 0];
  for (const { metadata, spec, status } of zones) {
    if (spec.server !== server || !selector.matches(metadata.labels ?? {})) continue;
    if (status?.ready === false) {
      notReady += 1;
      continue;
    }
    if (status?.ready === undefined) unreported += 1;
    domains.push({ name: metadata.name ?? '', controlPlane: spec.controlPlane ?? true });
  }
  domains.sort((left, right) => (left.name < right.name ? -1 : 1));
  return { domains, unreported, notReady };
}
