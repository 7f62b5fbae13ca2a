import type { Index } from '@slipway/runtime';
import type { VSphereCluster } from '../../api/index.js';

/** Indexes VSphereClusters by their server. Server addresses are compared as strings. */
export const serverIndex: Index<VSphereCluster> = {
  name: 'vsphere server',
  valuesOf: ({ spec }) => [spec.server],
};
