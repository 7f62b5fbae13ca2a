export type { ConditionsToSet, ControlPlaneHealth, ControlPlaneHealthInput } from './control-plane-health.js';
export type { ControlPlaneObservation, EtcdObservation, PodObservation } from './control-plane-observation.js';
export type { CallOptions, ObservedControlPlane, WorkloadCluster } from './workload-cluster.js';
