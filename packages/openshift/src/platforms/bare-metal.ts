import type { Platform } from './platform.js';

export const bareMetal: Platform = {
  type: 'BareMetal',
  provider: 'metal3',
  gateSuffix: 'BareMetal',
  kindPrefix: 'Metal3',
  version: 'v1beta1',
  needsProviderSpec: false,
  infraCluster: ({ endpoint }) => ({
    isManagedByUs: true,
    spec: { controlPlaneEndpoint: { ...endpoint }, noCloudProvider: true },
  }),
};
