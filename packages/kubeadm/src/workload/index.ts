export { withDefaultFeatureGates } from './cluster-configuration.js';
export { isSilent } from './component-findings.js';
export { type ControlPlaneHealth, controlPlaneHealth } from './control-plane-health.js';
export {
  type ControlPlaneObservation,
  type ControlPlaneWorkload,
  type EtcdObservation,
  type ObservedControlPlane,
  type PodObservation,
  WorkloadError,
} from './control-plane-workload.js';
export type { ConditionsToSet, NewV1beta1Condition } from './finding.js';
export { createControlPlaneWorkload, createWorkloadOpener, type WorkloadOpener } from './open-workload.js';
