export type { ClusterClass } from './cluster-class.js';
export type { ClusterResourceSetBinding } from './cluster-resource-set-binding.js';
export type { ClusterResourceSet } from './cluster-resource-set.js';
export type { Cluster } from './cluster.js';
export {
  clusterReasons,
  internalErrorMessage,
  machineReasons,
  otherReasons,
  reasons,
  remediationReasons,
  topologyReasons,
} from './conditions.js';
export {
  clusterApiConversions,
  conditionMoves,
  counterMoves,
  deletionTimeoutMoves,
  deprecatedCounterMoves,
  failureMoves,
} from './conversions/index.js';
export type { ExtensionConfig } from './extension-config.js';
export type { GlobalInClusterIPPool } from './global-in-cluster-ip-pool.js';
export type { InClusterIPPool } from './in-cluster-ip-pool.js';
export type { IPAddressClaim } from './ip-address-claim.js';
export type { IPAddress } from './ip-address.js';
export { clusterApiKinds } from './kinds.js';
export type { MachineDeployment } from './machine-deployment.js';
export type { MachineDrainRule } from './machine-drain-rule.js';
export type { MachineHealthCheck } from './machine-health-check.js';
export type { MachinePool } from './machine-pool.js';
export type { MachineSet } from './machine-set.js';
export type { Machine } from './machine.js';
export {
  annotations,
  beforeUpgradeHookPrefix,
  clusterctlAnnotations,
  contractLabelPrefix,
  deletionHookPrefixes,
  fieldManagers,
  finalizers,
  inPlaceUpdateAnnotations,
  ipamFinalizers,
  labels,
  nodeAnnotations,
  nodeLabelDomains,
  nodeTaints,
  revisionAnnotations,
  runtimeAnnotations,
  secretTypes,
  topologyAnnotations,
} from './names.js';
export type { Provider } from './provider.js';
export { provider } from './provider.js';
export {
  clusterClasses,
  clusterResourceSetBindings,
  clusterResourceSets,
  clusters,
  extensionConfigs,
  globalInClusterIpPools,
  inClusterIpPools,
  ipAddressClaims,
  ipAddresses,
  machineDeployments,
  machineDrainRules,
  machineHealthChecks,
  machinePools,
  machines,
  machineSets,
  providers,
} from './resources.js';
