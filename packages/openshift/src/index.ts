export { clusterWebhook } from './admission/cluster-webhook.js';
export {
  type ClusterOperator,
  clusterOperators,
  featureGates,
  type MapiMachine,
  mapiMachines,
  type MapiMachineSet,
  mapiMachineSets,
  openShiftKinds,
} from './api/index.js';
export {
  type ApproverFlags,
  type ApproverSettings,
  ApproverSettingsError,
  readApproverSettings,
} from './approver/approver-settings.js';
export { createApprover } from './approver/controller.js';
export { kubeletAuthority, nodeBootstrapper, signers } from './approver/names.js';
export { runApprover } from './approver/run-approver.js';
export { setOpenShiftCondition } from './cluster-operator/aggregate.js';
export type { OpenStackNetworkService } from './infra-cluster/networks.js';
export { imagesConfigMap } from './install/images.js';
export type { ProviderAssets, ReleaseAssets } from './install/providers.js';
export { readReleaseAssets } from './install/read-release-assets.js';
export { createMachineMigration } from './migration/migration-set.js';
export {
  clusterOperatorKey,
  clusterVersionKey,
  infrastructureGroup,
  namespaces,
  openShiftAccount,
  singletonKey,
  userDataSecret,
} from './names.js';
export { createOpenShiftOperator } from './operator.js';
export { alerts, prometheusRuleSpec } from './payload/alerts.js';
export { accountObjects, payloadObjects } from './payload/manifests.js';
export { findPlatform, type Platform, platformKinds, platforms } from './platforms/index.js';
