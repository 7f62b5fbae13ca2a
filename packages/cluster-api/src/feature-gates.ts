/** The feature gates and their defaults. */
export const featureGateDefaults = {
  MachinePool: true,
  MachineSetPreflightChecks: true,
  MachineWaitForVolumeDetachConsiderVolumeAttachments: true,
  PriorityQueue: true,
  ReconcilerRateLimiting: true,
  ClusterTopology: false,
  RuntimeSDK: false,
  KubeadmBootstrapFormatIgnition: false,
  InPlaceUpdates: false,
  MachineTaintPropagation: false,
} as const;

type FeatureGate = keyof typeof featureGateDefaults;
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;
