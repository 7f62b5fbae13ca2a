/** What can be turned on and off, and how it is set unless somebody says otherwise. */
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

export type FeatureGate = keyof typeof featureGateDefaults;
export type FeatureGates = Readonly<Record<FeatureGate, boolean>>;
