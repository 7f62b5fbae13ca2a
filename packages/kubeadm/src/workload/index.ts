export {
  type ClusterConfigurationChange,
  updateClusterConfiguration,
  withDefaultFeatureGates,
} from './cluster-configuration.js';
export { isSilent } from './component-findings.js';
export { type ControlPlaneHealth, controlPlaneHealth, type ControlPlaneHealthInput } from './control-plane-health.js';
export {
  type ControlPlaneObservation,
  type ControlPlaneWorkload,
  type EtcdObservation,
  type ObservedControlPlane,
  type PodObservation,
  type UpkeepScope,
  WorkloadError,
  type WorkloadReason,
} from './control-plane-workload.js';
export type { ConditionsToSet, NewV1beta1Condition } from './finding.js';
export {
  createControlPlaneWorkload,
  createWorkloadOpener,
  type EtcdTimeouts,
  type WorkloadDependencies,
  type WorkloadOpener,
  type WorkloadOpenerOptions,
  type WorkloadToOpen,
} from './open-workload.js';
