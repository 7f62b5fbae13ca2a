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
  /** Its machine kind, with one object for each Machine. */
  readonly machines: Resource;
  /** Resources that exist independently of clusters, by their storage name. */
  readonly permanentResources: readonly string[];
  readonly controllers: (infrastructure: Infrastructure) => readonly ControllerSet[];
  readonly cluster: (name: string) => Placed;
  readonly machineTemplate: (desired: DesiredCluster) => Placed;
}

/** In-memory, vSphere Supervisor and KVM. */
export type ProviderName = 'dev' | 'supervisor' | 'kvm';

/** Loaded on demand: default runs need only one provider. */
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
