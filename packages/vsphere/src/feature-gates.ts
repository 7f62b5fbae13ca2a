import type { AdmissionContext } from '@slipway/cluster-api';
import type { FeatureGate } from '@slipway/runtime';

/** The feature gates of vSphere and their defaults. */
export const vsphereFeatureGateDefaults = {
  NodeAntiAffinity: false,
  NamespaceScopedZones: false,
  NodeAutoPlacement: false,
  MultiNetworks: false,
  VLANSubinterface: false,
  InfrastructurePolicies: false,
  IPv6DualStack: false,
  ClusterNetworkProvider: false,
} as const;

export type VSphereFeatureGate = keyof typeof vsphereFeatureGateDefaults;
export type VSphereFeatures = Readonly<Record<VSphereFeatureGate, boolean>>;

export const vsphereFeatureGates: readonly FeatureGate[] = Object.entries(vsphereFeatureGateDefaults).map(
  ([name, open]) => ({ name, default: open, stage: 'Alpha' }),
);

/** The values of this package's feature gates, in addition to those of all providers. */
export function vsphereFeaturesOf({ features }: Pick<AdmissionContext, 'features'>): VSphereFeatures {
  return { ...vsphereFeatureGateDefaults, ...features };
}
