import type { AdmissionContext } from '@slipway/cluster-api';
import type { FeatureGate } from '@slipway/runtime';

/** What can be turned on and off in vSphere, and how it is set unless somebody says otherwise. */
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

/** The gates of this package as the user set them, beside those that every provider knows. */
export function vsphereFeaturesOf({ features }: Pick<AdmissionContext, 'features'>): VSphereFeatures {
  return { ...vsphereFeatureGateDefaults, ...features };
}
