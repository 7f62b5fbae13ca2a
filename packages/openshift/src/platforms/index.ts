import { aws } from './aws.js';
import { azure } from './azure.js';
import { bareMetal } from './bare-metal.js';
import { gcp } from './gcp.js';
import { nutanix } from './nutanix.js';
import { openstack } from './openstack.js';
import type { Platform } from './platform.js';
import { powerVs } from './power-vs.js';
import { vsphere } from './vsphere.js';

export {
  type DiscoveredNetworks,
  infraApiVersion,
  infraClusterKind,
  type DesiredInfraCluster,
  type Platform,
  PlatformError,
  type PlatformFacts,
  platformKinds,
} from './platform.js';

/** Supported platforms. */
export const platforms: readonly Platform[] = [aws, azure, gcp, bareMetal, openstack, vsphere, powerVs, nutanix];

export function findPlatform(type: string | undefined): Platform | undefined {
  return platforms.find((platform) => platform.type === type);
}
