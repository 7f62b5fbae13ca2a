import type { Conversion, KindAdmission } from '@slipway/cluster-api';
import type { Kind } from '@slipway/kube';
import type { ControllerSet, Resource } from '@slipway/runtime';
import type { Placed, DesiredCluster } from '../objects/desired-cluster.js';
import type { Infrastructure } from './infrastructure.js';

/** An infrastructure provider in the simulation: the real controllers on simulated machines. */
export interface Provider {
  readonly kinds: readonly Kind[];
  readonly conversions: readonly Conversion[];
  readonly admissions: readonly KindAdmission[];
  /** Infrastructure machine kind of the provider, with one object for each Machine. */
  readonly machines: Resource;
  /** Resources, as `group/plural`, whose objects exist independently of clusters. */
  readonly permanentResources: readonly string[];
  readonly controllers: (infrastructure: Infrastructure) => readonly ControllerSet[];
  readonly cluster: (name: string) => Placed;
  readonly machineTemplate: (desired: DesiredCluster) => Placed;
}

/** The in-memory, the vSphere Supervisor and the KVM provider. */
export type ProviderName = 'dev' | 'supervisor' | 'kvm';

/** Imports a provider on demand: most runs need only one of them. */
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
