import type { ControllerDescriptor } from '@slipway/runtime';
import {
  createGlobalInClusterIpPoolController,
  createInClusterIpPoolController,
  createIpAddressClaimController,
} from './controller.js';

/** In-cluster IPAM: claims on pools that are objects of the management cluster. */
export const ipamControllers: readonly ControllerDescriptor[] = [
  { name: 'ipaddressclaim', create: createIpAddressClaimController },
  { name: 'inclusterippool', create: createInClusterIpPoolController },
  { name: 'globalinclusterippool', create: createGlobalInClusterIpPoolController },
];
