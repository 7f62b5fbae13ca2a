import type { Conversion, KindAdmission } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import type { ControllerSet, Resource } from '@slipway/runtime';
import type { Placed, WantedCluster } from '../users/manifests.js';
import type { Infrastructure } from '../world/infrastructure.js';

/** An infrastructure provider as the simulation needs it: its own controllers, over machines that only seem to be there. */
export interface Provider {
  readonly kinds: readonly Kind[];
  readonly conversions: readonly Conversion[];
  readonly admissions: readonly KindAdmission[];
  /** Its kind of machine: one for each Machine. */
  readonly machines: Resource;
  /** Resources of which some are there whether or not there are clusters, as the store names them. */
  readonly residents: readonly string[];
  readonly controllers: (infrastructure: Infrastructure) => readonly ControllerSet[];
  readonly cluster: (name: string) => Placed;
  readonly machineTemplate: (wanted: WantedCluster) => Placed;
}

/** In memory, vSphere's Supervisor, and QEMU. */
export type ProviderName = 'dev' | 'supervisor' | 'kvm';

/** Loaded when it is wanted: the usual run has no use for the others. */
export async function loadProvider(name: ProviderName): Promise<Provider> {
  switch (name) {
    case 'dev':
      return (await import('./dev-provider.js')).devProvider;
    case 'supervisor':
      return (await import('./supervisor-provider.js')).supervisorProvider;
    case 'kvm':
      return (await import('./kvm-provider.js')).kvmProvider;
  }
}
