import type { VSphereFeatures } from '../feature-gates.js';
import type { PlatformResources } from './platform.js';

/** What all controllers of Supervisor mode are told when the process starts. */
export interface SupervisorDependencies {
  readonly platform: PlatformResources;
  readonly features: VSphereFeatures;
  /** As `--network-provider` has it. */
  readonly networkProvider: string;
}

/** Whether workers are placed by the group of their cluster. */
export function placesByGroup({ NamespaceScopedZones, NodeAutoPlacement }: VSphereFeatures): boolean {
  return NamespaceScopedZones && NodeAutoPlacement;
}
