import type { Machine } from '@slipway/cluster-api';
import type { Index } from '@slipway/runtime';
import type { VSphereDeploymentZone } from '../../api/index.js';

/** Finds Machines by their failure domain. */
export const zoneNameIndex: Index<Machine> = {
  name: 'machine failure domain',
  valuesOf: ({ spec }) => (spec.failureDomain === undefined ? [] : [spec.failureDomain]),
};

/** Finds zones by the failure domain that they name. */
export const failureDomainIndex: Index<VSphereDeploymentZone> = {
  name: 'zone failure domain',
  valuesOf: ({ spec }) => [spec.failureDomain],
};
