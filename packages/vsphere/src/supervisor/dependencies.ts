import type { VSphereFeatures } from '../feature-gates.js';
import type { PlatformResources } from './platform.js';

/** Dependencies of the controllers of Supervisor mode. */
export interface SupervisorDependencies {
  readonly platform: PlatformResources;
  readonly features: VSphereFeatures;
  /** The value of `--network-provider`. */
  readonly networkProvider: string;
}

/** Returns whether the VirtualMachineGroup of a cluster places its workers. */
export function placesByGroup({ NamespaceScopedZones, NodeAutoPlacement }: VSphereFeatures): boolean {
  return NamespaceScopedZones && NodeAutoPlacement;
}
