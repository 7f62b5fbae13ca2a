import type { ControllerDescriptor } from '@slipway/runtime';
import {
  createGlobalInClusterIpPoolController,
  createInClusterIpPoolController,
  createIpAddressClaimController,
} from './controller.js';

/** Controllers of the in-cluster IPAM, whose pools are objects in the management cluster. */
export const ipamControllers: readonly ControllerDescriptor[] = [
  { name: 'ipaddressclaim', create: createIpAddressClaimController },
  { name: 'inclusterippool', create: createInClusterIpPoolController },
  { name: 'globalinclusterippool', create: createGlobalInClusterIpPoolController },
];
