export type { ControlPlaneHealth, ControlPlaneHealthInput } from './control-plane-health.js';
export { controlPlaneHealth } from './control-plane-health.js';
export type { ControlPlaneObservation, EtcdObservation, PodObservation } from './control-plane-observation.js';
export type { ConditionsToSet, NewV1beta1Condition } from './finding.js';
export type { CallOptions, ObservedControlPlane, WorkloadCluster } from './workload-cluster.js';
