import type { Index } from '@slipway/runtime';
import type { VSphereCluster } from '../../api/index.js';

/** Finds VSphereClusters by their vCenter, written as they write it. */
export const serverIndex: Index<VSphereCluster> = {
  name: 'vsphere server',
  valuesOf: ({ spec }) => [spec.server],
};
