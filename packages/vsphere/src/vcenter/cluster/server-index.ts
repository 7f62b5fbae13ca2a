import type { Index } from '@slipway/runtime';
import type { VSphereCluster } from '../../api/index.js';

/** Indexes VSphereClusters by their server, compared as a string. */
export const serverIndex: Index<VSphereCluster> = {
  name: 'vsphere server',
  valuesOf: ({ spec }) => [spec.server],
};
