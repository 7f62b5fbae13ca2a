export type { ClusterHealth, WorkloadCluster } from './cluster-cache/index.js';
export { ClusterCache, ClusterDisconnected, workloadClusters } from './cluster-cache/index.js';
export type {
  ConditionSeverity,
  MergePriority,
  V1beta1Condition,
  V1beta1Conditioned,
  V1beta1State,
  V1beta1Target,
} from './conditions/index.js';
export {
  aggregateCondition,
  defaultPriority,
  getV1beta1Condition,
  markFalse,
  markTrue,
  markUnknown,
  mirrorCondition,
  noReasonReported,
  reasonByWorst,
  setV1beta1Condition,
  setV1beta1Summary,
  stateV1beta1,
  summarizeV1beta1,
  summaryCondition,
  worstV1beta1,
} from './conditions/index.js';
export { openReconcile } from './open-reconcile.js';
export type { Pausing } from './pause.js';
export { isPaused, pausedCondition } from './pause.js';
export {
  type ControllerConfiguration,
  publishConfiguration,
  readConfiguration,
} from './published-configuration.js';
export { clusterKeyOf } from './shard-key.js';
export { watchFilter } from './watch-filter.js';
