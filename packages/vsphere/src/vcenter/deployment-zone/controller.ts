import { machines } from '@slipway/cluster-api';
import type { Frozen } from '@slipway/kube';
import { type Controller, type ControllerContext, createController, type Index, keyOf, watch } from '@slipway/runtime';
import {
  vsphereClusters,
  type VSphereDeploymentZone,
  vsphereDeploymentZones,
  vsphereFailureDomains,
} from '../../api/index.js';
import type { VCenterDependencies } from '../dependencies.js';
import { reconcileZone } from './reconcile.js';

/** Indexes zones by their failure domain. */
const failureDomainIndex: Index<VSphereDeploymentZone> = {
  name: 'zone failure domain',
  valuesOf: ({ spec }) => [spec.failureDomain],
};

export function createZoneController(context: ControllerContext, dependencies: VCenterDependencies): Controller {
  const { sources, concurrency, watchFilter: filter } = context;
  const zones = sources.sourceFor(vsphereDeploymentZones);
  return createController({
    name: 'vspheredeploymentzone',
    for: vsphereDeploymentZones,
    concurrency,
    filter,
    watches: [
      watch(vsphereFailureDomains, {
        map: (domain) =>
          zones
            .byIndex(failureDomainIndex, domain.metadata.name ?? '')
            .map((zone) => keyOf(zone as Frozen<VSphereDeploymentZone>)),
      }),
      // Deleted machines matter to a zone that is being deleted and waits for them.
      watch(machines, {
        map: ({ spec }) => (spec.failureDomain === undefined ? [] : [{ namespace: '', name: spec.failureDomain }]),
        filter: ({ type }) => type === 'deleted',
      }),
      watch(vsphereClusters, { map: () => [] }),
    ],
    reconcile: (key, reconcileContext) => reconcileZone(key, reconcileContext, dependencies),
  });
}
